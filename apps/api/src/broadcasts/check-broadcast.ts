import { checkBroadcast as check } from '@kurir/database/broadcasts';
import type { Handler } from '../operations/operation-request.js';
import { asBroadcastId, broadcastNotFound, requireBroadcast } from './require-broadcast.js';
import { showBroadcast, showCounts } from './show-broadcast.js';

export const checkBroadcast: Handler<'checkBroadcast'> = async ({ caller, params }, { database, accountKeys }) => {
  const { accountId } = caller;
  const id = asBroadcastId(params.broadcast_id);
  const checked = await check(database, accountKeys, { id, accountId });
  if (checked === null) throw broadcastNotFound();
  const { broadcast, counts } = await requireBroadcast(database, accountId, id);
  const { neverOpen, tooOften } = checked;
  const sendable = Math.max(0, counts.pending - neverOpen - tooOften);
  const expected = [
    { reason: 'no_open_hour', count: neverOpen },
    { reason: 'too_often', count: tooOften },
  ] as const;
  const skipped = [...counts.skipped, ...expected.filter(({ count }) => count > 0)];
  return {
    broadcast: showBroadcast(broadcast),
    counts: showCounts({ ...counts, pending: sendable, skipped }),
    sendable,
    shares: checked.shares.map(({ deviceId, known, pacePerMinute }) => ({
      device_id: deviceId,
      known,
      pace_per_minute: pacePerMinute,
    })),
    new_contacts: checked.newContacts,
    remaining_quota: checked.remainingQuota === null ? 'Unlimited' : String(checked.remainingQuota),
    samples: checked.samples.map(({ recipient, text }) => ({ phone: recipient, text })),
  };
};
