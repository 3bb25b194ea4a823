/**
 * Which versions of WhatsApp's web client this gateway knows, and which worker asks for a newer one. Workers agree,
 * because all read the same rows; they ask once, because asking begins with a compare-and-set on one row. A worker that
 * dies while it asks leaves the next try to whoever finds it due.
 */
import type { Network } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';

/** `setting`: an operator pinned it. Other workers do not take it over. */
export type VersionSource = 'built-in' | 'web-client' | 'setting';

export type SeenVersion = {
  /** `2.3000.1043857760` */
  readonly version: string;
  readonly source: VersionSource;
  /** When a worker of this database first saw it; WhatsApp may have published it earlier. */
  readonly firstSeenAt: Date;
};

type SeenRow = { version: string; source: VersionSource; first_seen_at: Date };

const seenOf = (row: SeenRow): SeenVersion => ({
  version: row.version,
  source: row.source,
  firstSeenAt: row.first_seen_at,
});

/**
 * Remembers the version and since when; noting it twice is noting it once. A pin alone spreads to no other worker. `saidAt`:
 * when the web client said it, as SQL.
 */
const noteVersion = (saidAt: 'now()' | 'NULL') => `INSERT INTO whatsapp_versions AS known (version, source, said_at)
  VALUES ($1, $2, ${saidAt}) ON CONFLICT (version) DO UPDATE
    SET source = CASE WHEN known.source = 'setting' OR excluded.source = 'built-in' THEN excluded.source ELSE known.source END,
      said_at = coalesce(excluded.said_at, known.said_at)
  RETURNING version, source, first_seen_at`;

export async function noteWhatsappVersion(
  database: Database,
  version: string,
  source: Exclude<VersionSource, 'web-client'>,
): Promise<SeenVersion> {
  const { rows } = await database.pool.query<SeenRow>(noteVersion('NULL'), [version, source]);
  const [row] = rows;
  if (row === undefined) throw new Error('an upsert returned no row');
  return seenOf(row);
}

export type KnownVersions = {
  /** What the web client said last, or a greater built-in one of any worker; null before any worker noted one. */
  readonly current: SeenVersion | null;
  /** It is time to ask the web client again. */
  readonly isLookupDue: boolean;
};

export async function readWhatsappVersions(database: Database): Promise<KnownVersions> {
  const { rows } = await database.pool.query<{ is_due: boolean } & Partial<SeenRow>>({
    name: 'read-whatsapp-versions',
    text: `SELECT (SELECT coalesce(bool_and(due_at <= now()), true) FROM whatsapp_version_lookups) AS is_due, used.*
           FROM (VALUES (1)) AS one LEFT JOIN LATERAL (
             SELECT version, source, first_seen_at FROM whatsapp_versions
             WHERE source = 'built-in' OR said_at = (SELECT max(said_at) FROM whatsapp_versions)
             ORDER BY string_to_array(version, '.')::bigint[] DESC LIMIT 1) used ON true`,
  });
  const [row] = rows;
  const { version, source, first_seen_at: firstSeenAt, is_due: isLookupDue = false } = row ?? {};
  // The outer join makes all three null together.
  const current = version && source && firstSeenAt ? { version, source, firstSeenAt } : null;
  return { current, isLookupDue };
}

const network: Network = 'whatsapp';

export type LookupWish = {
  /** A device was refused, or the worker has just started: wait for the pause alone. */
  readonly isUrgent: boolean;
  /** Not while a device has a proxy: the network would learn the worker's own address. */
  readonly unlessProxied: boolean;
};

/** Between two lookups, whatever happens. */
const pause = `interval '15 minutes'`;
/** After a lookup that learned nothing, or whose worker died. */
const retry = `interval '1 hour'`;
/** After one that learned the present version. Not to the minute, so that not all gateways ask at the same time. */
const rest = `interval '23 hours' + random() * interval '2 hours'`;

/**
 * `yours`: the caller asks now, and nobody else does. `proxied`: nobody may. `no-device`: without a WhatsApp device nobody
 * needs to. For these two all devices are looked through, so who gets one of them waits some minutes.
 * An urgent wish that comes too early makes the lookup due at the end of the pause, for all workers.
 */
export async function claimVersionLookup(
  database: Database,
  { isUrgent, unlessProxied }: LookupWish,
): Promise<'yours' | 'not-now' | 'proxied' | 'no-device'> {
  const { rows } = await database.pool.query<{ is_mine: boolean; is_there: boolean; is_proxied: boolean }>({
    name: 'claim-version-lookup',
    text: `WITH whatsapp_devices AS (
             SELECT EXISTS (SELECT 1 FROM devices WHERE network = $3) AS is_there,
               $2 AND EXISTS (SELECT 1 FROM devices WHERE network = $3 AND proxy_sealed IS NOT NULL) AS is_proxied),
           claimed AS (
             INSERT INTO whatsapp_version_lookups AS lookup (asked_at, due_at)
             SELECT now(), now() + ${retry} FROM whatsapp_devices WHERE is_there AND NOT is_proxied
             ON CONFLICT (single) DO UPDATE SET asked_at = excluded.asked_at, due_at = excluded.due_at
               WHERE lookup.asked_at <= now() - ${pause} AND ($1 OR lookup.due_at <= now())
             RETURNING 1),
           hurried AS (
             UPDATE whatsapp_version_lookups SET due_at = asked_at + ${pause}
             WHERE $1 AND due_at > asked_at + ${pause} AND NOT EXISTS (SELECT 1 FROM claimed))
           SELECT EXISTS (SELECT 1 FROM claimed) AS is_mine, is_there, is_proxied FROM whatsapp_devices`,
    values: [isUrgent, unlessProxied, network],
  });
  const [row] = rows;
  if (row?.is_mine === true) return 'yours';
  if (row?.is_there === false) return 'no-device';
  return row?.is_proxied === true ? 'proxied' : 'not-now';
}

/** Stores what the web client said; the next lookup is a day away. */
export async function storeLearnedVersion(database: Database, version: string): Promise<void> {
  await database.pool.query(
    `WITH next AS (UPDATE whatsapp_version_lookups SET due_at = now() + ${rest}) ${noteVersion('now()')}`,
    [version, 'web-client'],
  );
}
