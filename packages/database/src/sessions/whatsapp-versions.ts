/**
 * The versions of WhatsApp's web client that this gateway knows, and the lookup of newer ones. All workers read the
 * same rows, so they agree. A lookup begins with a compare-and-set on one row, so only one worker looks. If it dies,
 * another worker looks later.
 */
import type { Network } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';

/** `setting`: an operator set it for one worker. Other workers do not use it. */
export type VersionSource = 'built-in' | 'web-client' | 'setting';

export type SeenVersion = {
  /** `2.3000.1043857760` */
  readonly version: string;
  readonly source: VersionSource;
  /** The time at which a worker of this database first saw it. WhatsApp may have published it earlier. */
  readonly firstSeenAt: Date;
};

type SeenRow = { version: string; source: VersionSource; first_seen_at: Date };

const seenOf = (row: SeenRow): SeenVersion => ({
  version: row.version,
  source: row.source,
  firstSeenAt: row.first_seen_at,
});

/**
 * Stores the version and the time of its first report. A second report changes nothing. `saidAt` (SQL) is the time of
 * the web client's answer; without it, a version from a setting does not reach other workers.
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
  /**
   * The last version of the web client, or a greater built-in version of any worker. Null before a worker reported one.
   */
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
  /** A device was refused, or the worker has just started. Only the pause delays the lookup. */
  readonly isUrgent: boolean;
  /** No lookup while a device has a proxy, because it would show the worker's own address to the network. */
  readonly unlessProxied: boolean;
};

/** The shortest time between two lookups. */
const pause = `interval '15 minutes'`;
/** The time after a lookup that failed, or whose worker died. */
const retry = `interval '1 hour'`;
/** The time after a successful lookup. It is random, so that not all gateways ask at the same time. */
const rest = `interval '23 hours' + random() * interval '2 hours'`;

/**
 * Decides whether the caller looks up the version. `yours`: it does, and no other worker does. `proxied`: nobody may.
 * `no-device`: there is no WhatsApp device. These two read all devices, so the caller should wait some minutes before
 * the next call. An urgent wish during the pause makes the lookup due at the end of the pause, for all workers.
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

/** Stores the version from the web client. The next lookup is about a day later. */
export async function storeLearnedVersion(database: Database, version: string): Promise<void> {
  await database.pool.query(
    `WITH next AS (UPDATE whatsapp_version_lookups SET due_at = now() + ${rest}) ${noteVersion('now()')}`,
    [version, 'web-client'],
  );
}
