/** Links devices as their owner would: asks for it, waits for the worker's codes, lets simulated phones scan them. */
import type { AccountId, DeviceId } from '@kurir/contracts';
import { createDevice, type Database, listDevices, requestLink } from '@kurir/database';
import { waitUntil } from '@kurir/testing';

export type Surroundings = {
  readonly database: Database;
  readonly simulatorUrl: string;
  readonly accountId: AccountId;
};

export type DevicePlan = { readonly devices: number; readonly pacePerMinute: number | null };

const createdAtOnce = 10;
const timeoutMs = 90_000;
const pauseMs = 200;

async function createOne({ database, accountId }: Surroundings, pacePerMinute: number | null): Promise<DeviceId> {
  const device = { accountId, name: 'bench', network: 'simulator', pacePerMinute };
  const deviceId = await createDevice(database, device);
  await requestLink(database, accountId, deviceId, { method: 'qr', phoneNumber: null });
  return deviceId;
}

/** A few at a time: more would only wait for a connection. */
async function createAll(surroundings: Surroundings, { devices, pacePerMinute }: DevicePlan): Promise<DeviceId[]> {
  const deviceIds: DeviceId[] = [];
  while (deviceIds.length < devices) {
    const creating = Array.from({ length: Math.min(createdAtOnce, devices - deviceIds.length) }, () =>
      createOne(surroundings, pacePerMinute),
    );
    deviceIds.push(...(await Promise.all(creating)));
  }
  return deviceIds;
}

/** The n-th phone: a possible number, and none of those that the simulator does not know. */
const phoneOf = (n: number) => `62812${String(n).padStart(7, '0')}1`;

async function scan({ simulatorUrl }: Surroundings, phone: string, code: string): Promise<void> {
  const answer = await fetch(`${simulatorUrl}/phones/${phone}/scan`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  // 404: the worker shows a newer code by now.
  if (!answer.ok && answer.status !== 404) throw new Error(`scan: ${answer.status} ${await answer.text()}`);
}

export async function linkDevices(surroundings: Surroundings, options: DevicePlan): Promise<DeviceId[]> {
  const deviceIds = await createAll(surroundings, options);
  const scanned = new Set<string>();

  async function scanNewCodes(): Promise<boolean> {
    const views = await listDevices(surroundings.database, surroundings.accountId);
    for (const { id, pairingCode } of views) {
      if (pairingCode === null || scanned.has(pairingCode)) continue;
      scanned.add(pairingCode);
      await scan(surroundings, phoneOf(deviceIds.indexOf(id)), pairingCode);
    }
    return views.every((view) => view.state === 'connected');
  }
  await waitUntil(scanNewCodes, { what: `${options.devices} devices are connected`, timeoutMs, everyMs: pauseMs });
  return deviceIds;
}
