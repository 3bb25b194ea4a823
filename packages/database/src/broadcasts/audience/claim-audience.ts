/**
 * Leases of audiences. One worker reads the file or the contacts of a broadcast. Its lease ends on the clock of the
 * database, and then another worker goes on after the last planned batch.
 */
import type { AccountId, BroadcastId, UploadId } from '@kurir/contracts';
import { matches, type ContactFilter, valuesOf } from '../../contacts/read-contacts.js';
import type { Database } from '../../postgres/connect.js';
import type { AudienceMapping } from './audience-rows.js';

export const audienceLeaseTtlMs = 10_000;

export const audienceTtl = `interval '${audienceLeaseTtlMs} milliseconds'`;

/** How much of an audience is planned. */
export type AudiencePlace = {
  /** The last row of the file, or the id of the last contact. Null: none is planned. */
  readonly place: string | null;
  /** Bytes of the file, or contacts. */
  readonly done: number;
};

export type ClaimedAudience = AudiencePlace & {
  readonly id: BroadcastId;
  readonly accountId: AccountId;
  readonly owner: string;
  readonly source:
    | {
        readonly kind: 'upload';
        readonly uploadId: UploadId;
        readonly bytes: number;
        readonly mapping: AudienceMapping;
        readonly country: string;
      }
    | { readonly kind: 'contacts'; readonly filter: ContactFilter };
};

type Row = AudiencePlace & {
  readonly id: BroadcastId;
  readonly accountId: AccountId;
  readonly uploadId: UploadId | null;
  readonly country: string;
  readonly mapping: AudienceMapping | null;
  readonly filter: ContactFilter | null;
  readonly total: number | null;
};

function sourceOf({ uploadId, total, mapping, filter, country }: Row): ClaimedAudience['source'] {
  if (uploadId !== null && mapping !== null) return { kind: 'upload', uploadId, bytes: total ?? 0, mapping, country };
  if (filter === null) throw new Error('an audience has neither a file nor a filter');
  return { kind: 'contacts', filter };
}

/**
 * Takes the audience that nobody has held for the longest time, so one that fails lets the others go first. An account has
 * one at a time, so its files take one worker and leave the others. Null: there is none.
 */
export async function takeAudience({ pool }: Database, owner: string): Promise<ClaimedAudience | null> {
  const { rows } = await pool.query<Row>({
    name: 'take-audience',
    text: `UPDATE broadcast_audiences a SET owner = $1, expires_at = now() + ${audienceTtl}
           WHERE a.broadcast_id = (
             SELECT n.broadcast_id FROM broadcasts b JOIN broadcast_audiences n ON n.broadcast_id = b.id
             WHERE b.state = 'checking' AND (n.owner IS NULL OR n.expires_at <= now())
               AND NOT EXISTS (SELECT 1 FROM broadcast_audiences o WHERE o.account_id = n.account_id
                 AND o.broadcast_id <> n.broadcast_id AND o.owner IS NOT NULL AND o.expires_at > now())
             ORDER BY n.expires_at, b.id FOR UPDATE OF n SKIP LOCKED LIMIT 1)
           RETURNING a.broadcast_id AS id, a.account_id AS "accountId", a.upload_id AS "uploadId", a.country, a.mapping, a.filter,
             a.place, a.done, a.total`,
    values: [owner],
  });
  const [row] = rows;
  if (row === undefined) return null;
  const { id, accountId, place, done } = row;
  return { id, accountId, owner, place, done, source: sourceOf(row) };
}

export type AudienceLease = Pick<ClaimedAudience, 'id' | 'owner'>;

/** Returns false if the lease is lost. */
export async function renewAudience({ pool }: Database, { id, owner }: AudienceLease): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'renew-audience',
    text: `UPDATE broadcast_audiences SET expires_at = now() + ${audienceTtl}
           WHERE broadcast_id = $1 AND owner = $2 AND expires_at > now()`,
    values: [id, owner],
  });
  return rowCount === 1;
}

/** Gives the audience back, so that another worker can go on at once. */
export async function releaseAudience({ pool }: Database, { id, owner }: AudienceLease): Promise<void> {
  await pool.query({
    name: 'release-audience',
    text: 'UPDATE broadcast_audiences SET owner = NULL, expires_at = now() WHERE broadcast_id = $1 AND owner = $2',
    values: [id, owner],
  });
}

/** Counts the contacts and notes the number, so that the progress has an end. Returns the number. */
export async function countAudience(
  { lists, pool }: Database,
  { id, accountId }: ClaimedAudience,
  filter: ContactFilter,
): Promise<number> {
  const { rows } = await lists.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM contacts c WHERE ${matches}`,
    valuesOf(accountId, filter),
  );
  const total = rows[0]?.count ?? 0;
  await pool.query({
    name: 'note-size-of-audience',
    text: 'UPDATE broadcast_audiences SET total = $2 WHERE broadcast_id = $1',
    values: [id, total],
  });
  return total;
}
