/** Devices and accounts have no log of changes: a print of what is shown of each is compared with the last one. */
import type { AccountId } from '@kurir/contracts';
import type { LiveEvent } from '@kurir/contracts/dashboard';
import { type Database, type DevicePrint, readAccountPrints, readDevicePrints } from '@kurir/database';

export type PrintWatch = {
  /** Remembers how the account is now, so that only what changes from here on is told. */
  know(accountId: AccountId): Promise<void>;
  readChanges(accountIds: readonly AccountId[]): Promise<{ accountId: AccountId; event: LiveEvent }[]>;
  /** Everything as it is now, for whoever was away. */
  readAll(accountId: AccountId): Promise<LiveEvent[]>;
};

const deviceEvent = ({ deviceId, state }: DevicePrint): LiveEvent => ({
  event: 'device',
  data: { device_id: deviceId, state },
});
const accountEvent: LiveEvent = { event: 'account', data: {} };

export function createPrintWatch(database: Database): PrintWatch {
  const known = new Map<string, string>();

  function isChanged(id: string, print: string): boolean {
    const changed = known.get(id) !== print;
    known.set(id, print);
    return changed;
  }

  async function readChanges(accountIds: readonly AccountId[]) {
    const [devices, accounts] = await Promise.all([
      readDevicePrints(database, accountIds),
      readAccountPrints(database, accountIds),
    ]);
    return [
      ...devices
        .filter(({ deviceId, print }) => isChanged(deviceId, print))
        .map((device) => ({ accountId: device.accountId, event: deviceEvent(device) })),
      ...accounts
        .filter(({ accountId, print }) => isChanged(accountId, print))
        .map(({ accountId }) => ({ accountId, event: accountEvent })),
    ];
  }

  return {
    async know(accountId) {
      await readChanges([accountId]);
    },
    readChanges,
    async readAll(accountId) {
      const devices = await readDevicePrints(database, [accountId]);
      return [...devices.map(deviceEvent), accountEvent];
    },
  };
}
