import { listWrittenTo } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';
import { requireSimulator } from './simulated-network.js';

export const listPhones: Handler<'listPhones'> = async ({ caller }, api) => {
  requireSimulator(api);
  const written = await listWrittenTo(api.database, caller.accountId);
  const phones = written.map(({ number, messages, lastAt }) => ({
    number,
    messages,
    last_message_at: lastAt.toISOString(),
  }));
  return { phones };
};
