/** Takes the next steps of all broadcasts. Other workers do the same; the lock of a broadcast lets one of them work. */
import type { AccountKeys, Database } from '@kurir/database';
import { driveBroadcast, readDriven } from '@kurir/database/broadcasts';
import type { Logger } from '@kurir/logging';

type Parts = { readonly database: Database; readonly accountKeys: AccountKeys; readonly log: Logger };

/** No broadcast keeps the others waiting for longer. */
const stepsInTurn = 5;

/** A broadcast that fails does not stop the others. */
export async function driveBroadcasts({ database, accountKeys, log }: Parts, signal: AbortSignal): Promise<void> {
  for (const broadcastId of await readDriven(database)) {
    try {
      for (let left = stepsInTurn; left > 0 && !signal.aborted; left -= 1)
        if (!(await driveBroadcast(database, accountKeys, broadcastId))) break;
    } catch (err) {
      log.warn({ err, broadcastId }, 'step of a broadcast failed, will be tried again');
    }
  }
}
