/**
 * Tells the network which messages were read. Postgres says what is untold, so marks wait for a device that is away, and
 * nothing is lost if a worker dies. A round after a crash may tell a chat again, which changes nothing.
 */
import { noteTold, readUntold, type UntoldChat } from '@kurir/database';
import type { Session } from '@kurir/network';
import { type ConnectedDevice, maySend } from '../messages/connected-device.js';

/** The chats of a device that one round tells. A round begins each second, so a device tells no more a second. */
const chatsPerRound = 5;
/** After a failure, the device tells nothing for so long. */
const restMs = 30_000;

/** Returns the function for the rounds of one connection. It never rejects. A call during a round does nothing. */
export function createReadMarks(device: ConnectedDevice, session: Session): () => Promise<void> {
  const { database, deviceId, log } = device.lease;
  let isRunning = false;
  let restsUntil = Number.NEGATIVE_INFINITY;

  async function tell(untold: UntoldChat): Promise<void> {
    if (untold.marks.length > 0) await session.markRead?.(untold.chat, untold.marks);
    await noteTold(database, untold);
  }

  /** A chat that fails does not stop the others. */
  async function round(): Promise<void> {
    const failures: unknown[] = [];
    for (const untold of await readUntold(database, deviceId, chatsPerRound)) {
      if (!maySend(device)) return;
      await tell(untold).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  return async () => {
    const mayBegin = !isRunning && maySend(device) && device.clock.now() >= restsUntil;
    if (session.markRead === undefined || !mayBegin) return;
    isRunning = true;
    try {
      await round();
    } catch (err) {
      restsUntil = device.clock.now() + restMs;
      log.warn({ err }, 'read marks not told, will be tried again');
    } finally {
      isRunning = false;
    }
  };
}
