/** Creates a device, unlinked. A setting that the request leaves out gets the default of its network. */
import { type AccountId, type DeviceId, type Network, newId } from '@kurir/contracts';
import type { AccountKeys } from '../accounts/account-keys.js';
import { type Audit, auditWrites } from '../accounts/audit.js';
import { type Fingerprinted, fingerprintOf, hasFingerprint } from '../accounts/fingerprint.js';
import { type Database, inTransaction } from '../postgres/connect.js';
import type { Sealer } from '../postgres/sealer.js';
import { lockAndCountDevices } from './device-limits.js';
import { sealDeviceProxy, withoutPassword } from './device-proxy.js';
import { type DeviceChanges, defaultPoliteness, limitColumns } from './device-settings.js';

export type NewDevice = Omit<DeviceChanges, 'name' | 'groups' | 'proxyUrl'> & {
  readonly accountId: AccountId;
  readonly name: string;
  readonly network: Network;
};

export async function createDevice(database: Database, device: NewDevice, audit?: Audit): Promise<DeviceId> {
  const id = newId('dev');
  const { prisma } = database;
  const lease = { create: { expiresAt: new Date(0) } };
  const created = prisma.device.create({ data: { id, ...columnsOf(device), lease } });
  await prisma.$transaction([created, ...auditWrites(database, audit, id)]);
  return id;
}

export type DeviceRequest = NewDevice & {
  readonly proxyUrl?: string | null | undefined;
  /** The customer's own id for this request, unique in the account forever. Null: none. */
  readonly clientRef: string | null;
};

export type DeviceCreation =
  | { readonly kind: 'created' | 'repeated'; readonly deviceId: DeviceId }
  | { readonly kind: 'client-ref-reused' }
  | { readonly kind: 'too-many'; readonly max: number };

/**
 * Creates the requested device, its lease and its audit row in one statement. The same `clientRef` with the same fields
 * always returns the first device, also when requests run at the same time. Refuses a device above the account's limit.
 */
export async function createRequestedDevice(
  database: Database,
  { sealer, accountKeys }: { readonly sealer: Sealer; readonly accountKeys: AccountKeys },
  request: DeviceRequest,
  audit: Audit,
): Promise<DeviceCreation> {
  const { accountId, clientRef, proxyUrl = null } = request;
  const id = newId('dev');
  const asked = deviceAsked(request);
  const { fingerprintKey, fingerprintVersion } = await accountKeys.fingerprinting(accountId);
  const { name, network, pacePerMinute, paceJitterMs, newContactsPerDay, newContactsAutomatic, typingMs } =
    columnsOf(request);
  const made = await inTransaction(database.pool, async (client) => {
    const { devices, max } = await lockAndCountDevices(client, accountId);
    if (devices >= max) return { max };
    const { rowCount } = await client.query(
      `WITH made AS (
       INSERT INTO devices (id, account_id, name, network, pace_per_minute, pace_jitter_ms, new_contacts_per_day,
         typing_ms, proxy_sealed, client_ref, request_fingerprint, new_contacts_automatic)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $14)
       ON CONFLICT (account_id, client_ref) DO NOTHING RETURNING id),
     leased AS (INSERT INTO device_leases (device_id, expires_at) SELECT id, to_timestamp(0) FROM made),
     audited AS (INSERT INTO audit_log (id, account_id, actor, action, subject)
       SELECT $12, $2, $13, $15, id FROM made RETURNING id),
     addressed AS (INSERT INTO audit_addresses (entry_id, account_id, actor, address)
       SELECT id, $2, $13, $16 FROM audited WHERE $16::text IS NOT NULL)
     SELECT id FROM made`,
      [
        id,
        accountId,
        name,
        network,
        pacePerMinute,
        paceJitterMs,
        newContactsPerDay,
        typingMs,
        sealDeviceProxy(sealer, id, proxyUrl),
        clientRef,
        fingerprintOf(fingerprintKey, asked, fingerprintVersion),
        newId('aud'),
        audit.actor,
        newContactsAutomatic,
        audit.action,
        audit.address ?? null,
      ],
    );
    return rowCount === 1 ? 'made' : 'repeated';
  });
  if (made === 'made') return { kind: 'created', deviceId: id };
  const first = await readFirst(database, accountId, clientRef, (stored) =>
    hasFingerprint(fingerprintKey, asked, stored),
  );
  if (first !== null) return first;
  if (made === 'repeated') throw new Error('a client_ref stood in the way of a device and is gone');
  return { kind: 'too-many', max: made.max };
}

/** The device that has the `clientRef`, or null. Refuses if the request was another one. */
async function readFirst(
  database: Database,
  accountId: AccountId,
  clientRef: string | null,
  isSame: (fingerprint: Buffer) => boolean,
): Promise<DeviceCreation | null> {
  const { rows } = await database.pool.query<{ id: DeviceId; request_fingerprint: Buffer }>(
    `SELECT id, request_fingerprint FROM devices WHERE account_id = $1 AND client_ref = $2`,
    [accountId, clientRef],
  );
  const [first] = rows;
  if (first === undefined) return null;
  return isSame(first.request_fingerprint) ? { kind: 'repeated', deviceId: first.id } : { kind: 'client-ref-reused' };
}

function columnsOf(device: NewDevice) {
  const { accountId, name, network, pacePerMinute, paceJitterMs, newContactsPerDay, typingMs } = device;
  const polite = defaultPoliteness(network);
  return {
    accountId,
    name,
    network,
    // Null is a choice of the customer: no limit.
    pacePerMinute: pacePerMinute === undefined ? polite.pacePerMinute : pacePerMinute,
    paceJitterMs: paceJitterMs ?? polite.paceJitterMs,
    ...limitColumns(newContactsPerDay === undefined ? polite.newContactsPerDay : newContactsPerDay),
    typingMs: typingMs ?? polite.typingMs,
  };
}

/**
 * The settings that version 0 hashed for a request that named none: the defaults of that time. They must never change.
 */
const settingsInOldFingerprints: Partial<
  Record<string, { pacePerMinute: number; paceJitterMs: number; limit: number }>
> = {
  whatsapp: { pacePerMinute: 20, paceJitterMs: 2_000, limit: 50 },
};

/** Fields of a request that do not describe its device. */
const aboutRequest: ReadonlySet<string> = new Set(['accountId', 'clientRef'] satisfies (keyof DeviceRequest)[]);

/** Leaves out the proxy's password: somebody could guess it from a fingerprint of version 0. */
function deviceAsked(request: DeviceRequest): Fingerprinted {
  const { proxyUrl = null, ...chosen } = request;
  const proxy = proxyUrl === null ? undefined : withoutPassword(proxyUrl);
  const old = settingsInOldFingerprints[chosen.network];
  const or = <T>(value: T | undefined, setting: T) => (value === undefined ? setting : value);
  return {
    fields: {
      ...Object.fromEntries(Object.entries(chosen).filter(([name]) => !aboutRequest.has(name))),
      proxy,
    },
    oldFields: () => [
      chosen.name,
      chosen.network,
      or(chosen.pacePerMinute, old?.pacePerMinute ?? null),
      chosen.paceJitterMs ?? old?.paceJitterMs ?? 0,
      or(chosen.newContactsPerDay, old?.limit ?? null),
      chosen.typingMs ?? 0,
      proxy ?? null,
    ],
  };
}
