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
  const { neverOpen } = checked;
  const sendable = counts.pending - neverOpen;
  const skipped =
    neverOpen === 0 ? counts.skipped : [...counts.skipped, { reason: 'no_open_hour' as const, count: neverOpen }];
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
