import { readBusiestLanes } from '@kurir/database';
import { countTickets } from '@kurir/queue';
import type { Handler } from '../operations/operation-request.js';

const shownLanes = 200;

export const adminListLanes: Handler<'adminListLanes'> = async (_request, { database, queue }) => {
  const rows = await readBusiestLanes(database, shownLanes);
  const jobs = await countTickets(
    queue,
    rows.map(({ deviceId }) => deviceId),
  );
  const lanes = rows.map((row) => ({
    device_id: row.deviceId,
    account_id: row.accountId,
    name: row.name,
    waiting: { otp: row.otp, normal: row.normal, bulk: row.bulk },
    sending: row.sending,
    jobs: jobs?.get(row.deviceId) ?? null,
    oldest_waiting_at: row.oldestWaitingAt?.toISOString() ?? null,
  }));
  return { lanes };
};
