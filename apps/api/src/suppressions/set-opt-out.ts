import { writeOptOut } from '@kurir/database/suppressions';
import type { Handler } from '../operations/operation-request.js';
import { showOptOut } from './show-opt-out.js';

export const setOptOut: Handler<'setOptOut'> = async ({ caller, auditAs, body }, { database }) => {
  await writeOptOut(database, caller.accountId, body, auditAs('opt_out.changed'));
  return showOptOut(body);
};
