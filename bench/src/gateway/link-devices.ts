/**
 * Links devices as their owner would: asks for the link, waits for the worker's codes, and lets pretend phones scan
 * them.
 */
import type { AccountId, DeviceId } from '@kurir/contracts';
import { createDevice, type Database, listDevices, requestLink } from '@kurir/database';
import { waitUntil } from '@kurir/testing';
import type { Network } from '../network/network.js';
import type { Setting } from '../processes/setting.js';

export type Surroundings = {
  readonly database: Database;
  readonly network: Network;
  readonly accountId: AccountId;
  readonly tell: Setting['tell'];
};

export type DevicePlan = {
  readonly devices: number;
  readonly pacePerMinute: number | null;
  /** The place of the first phone. Two devices cannot share one. */
  readonly firstPhone?: number;
};

/** No politeness: otherwise the benchmark would measure the pauses. */
const hasty = { paceJitterMs: 0, newContactsPerDay: null, typingMs: 0 };
const createdAtOnce = 10;
const scannedAtOnce = 10;
/** Linking a WhatsApp device takes long, because it makes hundreds of keys. */
const timeoutMs = 170_000;
const pauseMs = 200;
const toldEveryMs = 10_000;

async function createOne({ database, network, accountId }: Surroundings, pacePerMinute: number | null) {
  const device = { accountId, name: 'bench', network: network.name, ...hasty, pacePerMinute };
  const deviceId = await createDevice(database, device);
  await requestLink(database, accountId, deviceId, { method: 'qr', phoneNumber: null });
  return deviceId;
}

/** Creates a few devices at a time. More would only wait for a database connection. */
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

/** The number of the n-th phone. It is a possible number, and the simulator knows it. */
export const phoneOf = (n: number) => `62812${String(n).padStart(7, '0')}1`;

/** The statuses of a code that the worker has replaced: the simulator does not know it, and the relay refuses it. */
const oldCode = [404, 409];

async function scan({ network }: Surroundings, phone: string, code: string): Promise<void> {
  const answer = await fetch(`${network.url}/phones/${phone}/scan`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const text = await answer.text();
  if (!answer.ok && !oldCode.includes(answer.status)) throw new Error(`scan: ${answer.status} ${text}`);
}

/** Returns a function that scans the new codes of all devices and returns how many devices are connected. */
function createScanner(
  surroundings: Surroundings,
  deviceIds: readonly DeviceId[],
  firstPhone: number,
): () => Promise<number> {
  const places = new Map(deviceIds.map((id, place) => [id, firstPhone + place]));
  const scanned = new Set<string>();
  return async () => {
    const views = await listDevices(surroundings.database, surroundings.accountId);
    const fresh = views.flatMap(({ id, pairingCode }) =>
      pairingCode === null || scanned.has(pairingCode) ? [] : [{ id, pairingCode }],
    );
    await Promise.all(
      fresh.slice(0, scannedAtOnce).map(({ id, pairingCode }) => {
        scanned.add(pairingCode);
        return scan(surroundings, phoneOf(places.get(id) ?? 0), pairingCode);
      }),
    );
    return views.filter((view) => view.state === 'connected').length;
  };
}

export async function linkDevices(surroundings: Surroundings, options: DevicePlan): Promise<DeviceId[]> {
  const { devices, firstPhone = 0 } = options;
  const startedAt = performance.now();
  const deviceIds = await createAll(surroundings, options);
  const scanNewCodes = createScanner(surroundings, deviceIds, firstPhone);
  let toldAt = startedAt;
  const allConnected = async () => {
    const connected = await scanNewCodes();
    if (connected === devices) return true;
    if (performance.now() - toldAt < toldEveryMs) return false;
    toldAt = performance.now();
    surroundings.tell(`${connected} of ${devices} devices are linked and connected`);
    return false;
  };
  await waitUntil(allConnected, { what: `${devices} devices are connected`, timeoutMs, everyMs: pauseMs });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  surroundings.tell(`${devices} devices are linked and connected after ${seconds} s`);
  return deviceIds;
}
