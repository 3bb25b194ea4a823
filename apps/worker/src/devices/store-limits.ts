/** Stores what the network allows an account. Only the newest report counts; a database that is away is asked again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, type Holder, writeAccountLimits } from '@kurir/database';
import type { Logger } from '@kurir/logging';
import type { AccountLimits } from '@kurir/network';

const againMs = 500;

export function createLimitsStore(
  database: Database,
  holder: Holder,
  log: Logger,
  isOver: () => boolean,
): (limits: AccountLimits) => void {
  let newest: AccountLimits | null = null;
  let writing = false;

  async function writeAll(): Promise<void> {
    for (let limits = newest; limits !== null && !isOver(); limits = newest) {
      newest = null;
      try {
        await writeAccountLimits(database, holder, limits);
        const { newContacts, newChatQuota, warning } = limits;
        log.info({ newContacts, newChatQuota, warning }, 'account limits stored');
      } catch (err) {
        log.warn({ err }, 'account limits not stored, will be tried again');
        newest ??= limits;
        await sleep(againMs);
      }
    }
  }

  return (limits) => {
    newest = limits;
    if (writing) return;
    writing = true;
    void writeAll().finally(() => {
      writing = false;
    });
  };
}
