/** The sweeps over messages: what Postgres says is unfinished is taken up again, and what is too late expires. */
import { expireMessages, failUnlinkedMessages, readSendingDevices, wakeMessages } from '@kurir/database';
import { fillDevices, type SweepParts } from './fill-devices.js';

/** A message this young has its ticket on the way. */
const enqueueGraceMs = 1_000;
const sendingIds = (parts: SweepParts) => parts.holder.sending().map((device) => device.holder.deviceId);

/** What stands as sending while its device is at rest was left by a crash or a failed write. */
export async function recoverLeftOvers(parts: SweepParts): Promise<void> {
  const atRest = parts.holder.sending().filter((device) => !device.isBusy);
  const ids = await readSendingDevices(
    parts.database,
    atRest.map((device) => device.holder.deviceId),
  );
  // A network that says nothing holds one of them for long; the others do not wait for it.
  for (const deviceId of ids) void parts.holder.get(deviceId)?.recover();
}

export async function expireAll(parts: SweepParts): Promise<void> {
  for (;;) {
    const expired = await expireMessages(parts.database);
    if (expired > 0) parts.log.info({ expired }, 'messages expired');
    if (expired < 1_000) return;
  }
}

export async function failUnlinked(parts: SweepParts): Promise<void> {
  for (;;) {
    const failed = await failUnlinkedMessages(parts.database);
    if (failed === 0) return;
    parts.log.info({ failed }, 'messages of unlinked devices ended');
  }
}

/** What has become due goes at once through the lanes that this worker holds; other workers' sweeps find the rest. */
export async function wakeAll(parts: SweepParts): Promise<void> {
  for (;;) {
    const woken = await wakeMessages(parts.database);
    if (woken.length === 0) return;
    const ids = new Set(woken);
    await fillDevices(
      parts,
      sendingIds(parts).filter((deviceId) => ids.has(deviceId)),
      0,
    );
  }
}

export const fillHeldLanes = (parts: SweepParts): Promise<void> =>
  fillDevices(parts, sendingIds(parts), enqueueGraceMs);
