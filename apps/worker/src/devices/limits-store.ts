/** Stores the network's limits of an account. Only the newest report counts. While Postgres is unavailable, it retries. */
import { setTimeout as sleep } from 'node:timers/promises';
import { writeAccountLimits } from '@kurir/database';
import type { AccountLimits } from '@kurir/network';
import type { DeviceLease } from '../leases/device-lease.js';

const retryDelayMs = 500;

export function createLimitsStore(lease: DeviceLease): (limits: AccountLimits) => void {
  const { database, token, log } = lease;
  let newest: AccountLimits | null = null;
  let isWriting = false;

  async function writeAll(): Promise<void> {
    for (let limits = newest; limits !== null && !lease.isEnding; limits = newest) {
      newest = null;
      try {
        await writeAccountLimits(database, token, limits);
        const { newContacts, newChatQuota, warning } = limits;
        log.info({ newContacts, newChatQuota, warning }, 'account limits stored');
      } catch (err) {
        log.warn({ err }, 'account limits not stored, will be tried again');
        newest ??= limits;
        await sleep(retryDelayMs);
      }
    }
  }

  return (limits) => {
    newest = limits;
    if (isWriting) return;
    isWriting = true;
    void writeAll().finally(() => {
      isWriting = false;
    });
  };
}
