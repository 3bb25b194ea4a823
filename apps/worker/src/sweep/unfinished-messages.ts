/** The sweeps over messages: they take up the messages that Postgres shows as unfinished, and expire late ones. */
import {
  expireMessages,
  failUnlinkedMessages,
  moveToNextHours,
  readDevicesToTell,
  readSendingDevices,
  wakeMessages,
} from '@kurir/database';
import { settleSuppressions } from '@kurir/database/suppressions';
import { fillDevices, type SweepParts } from './fill-devices.js';

/** The api is still making the ticket of a younger message. */
const enqueueGraceMs = 1_000;
const sendingIds = (parts: SweepParts) => parts.devices.sending().map(({ lease }) => lease.deviceId);

/** Recovers messages that are `sending` although their device runs no turn: a crash or a failed write left them. */
export async function recoverLeftOvers(parts: SweepParts): Promise<void> {
  const atRest = parts.devices.sending().filter((device) => !device.isBusy);
  const ids = await readSendingDevices(
    parts.database,
    atRest.map(({ lease }) => lease.deviceId),
  );
  // If the network does not answer, one device takes long. The others do not wait for it.
  for (const deviceId of ids) void parts.devices.get(deviceId)?.recover();
}

/** Tells the networks which messages were read since the last round. */
export async function tellRead(parts: SweepParts): Promise<void> {
  const ids = await readDevicesToTell(parts.database, sendingIds(parts));
  // If the network does not answer, one device takes long. The others do not wait for it.
  for (const deviceId of ids) void parts.devices.get(deviceId)?.tellRead();
}

export async function expireAll(parts: SweepParts): Promise<void> {
  for (;;) {
    const expired = await expireMessages(parts.database);
    for (const { id, status } of expired) parts.log.info({ messageId: id, status }, 'message expired');
    if (expired.length < 1_000) return;
  }
}

/** Marketing whose hours are over waits for the next ones of its recipient. */
export async function moveAllToNextHours({ database, log }: SweepParts): Promise<void> {
  for (;;) {
    const moved = await moveToNextHours(database);
    if (moved === 0) return;
    log.info({ moved }, 'messages wait for the next hours of their recipients');
  }
}

/** Ends what an acceptance stored while its recipient was being suppressed. */
export async function settleAll({ database, log }: SweepParts): Promise<void> {
  for (;;) {
    const ended = await settleSuppressions(database);
    if (ended === 0) return;
    log.info({ ended }, 'messages to suppressed people ended');
  }
}

export async function failUnlinked(parts: SweepParts): Promise<void> {
  for (;;) {
    const failed = await failUnlinkedMessages(parts.database);
    if (failed === 0) return;
    parts.log.info({ failed }, 'messages of unlinked devices ended');
  }
}

/** Makes tickets for messages that have become due, in the lanes of this worker. Other workers' sweeps find the rest. */
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

export const fillOwnLanes = (parts: SweepParts): Promise<void> => fillDevices(parts, sendingIds(parts), enqueueGraceMs);
