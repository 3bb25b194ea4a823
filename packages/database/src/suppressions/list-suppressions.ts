import type { AccountId, InboundId, OptOutSettings, SuppressionReason, SuppressionScope } from '@kurir/contracts';
import { suppressionScopes, usualCountry, usualOptOut } from '@kurir/contracts';
import type { AccountKeys } from '../accounts/account-keys.js';
import { type Audit, audited } from '../accounts/audit.js';
import type { Database } from '../postgres/connect.js';
import { recipientKeyOf } from '../recipients/suppressed.js';

export type SuppressionView = {
  /** Digits, or the network's id of a person who hides the number. Null: erased. */
  readonly recipient: string | null;
  readonly scope: SuppressionScope;
  readonly reason: SuppressionReason;
  readonly sourceId: InboundId | null;
  readonly actor: string | null;
  readonly createdAt: Date;
};

export type SuppressionFilter = {
  /** A number. It finds an erased one too. */
  readonly phone: string | null;
  readonly scope: SuppressionScope | null;
  readonly limit: number;
  readonly cursor: string | null;
};

type Row = SuppressionView & { readonly recipientKey: Buffer };

/** Fits into the field `cursor` of a page, so the scope is one letter. */
const cursorOf = ({ createdAt, recipientKey, scope }: Row): string =>
  `${createdAt.getTime()}.${recipientKey.toString('base64url')}.${scope[0]}`;

function placeOf(cursor: string): readonly [Date, Buffer, string] | null {
  const [time = '', key = '', letter = ''] = cursor.split('.');
  const scope = suppressionScopes.find((name) => name[0] === letter);
  if (!/^[0-9]{1,14}$/.test(time) || scope === undefined) return null;
  return [new Date(Number(time)), Buffer.from(key, 'base64url'), scope];
}

/**
 * The suppression of a user id whose person is suppressed by number, too. The list shows each person once. The CASE keeps
 * the planner from joining all rows before it reads one page.
 */
const isShownByNumber = `CASE WHEN s.recipient ~ '^[0-9]+$' THEN false ELSE EXISTS (
  SELECT FROM conversations c JOIN conversations kept ON kept.id = coalesce(c.alias_of, c.id)
  JOIN suppressions n ON n.account_id = s.account_id AND n.recipient = kept.phone AND n.scope = s.scope
  WHERE c.chat_id = s.recipient AND c.type = 'direct' AND c.account_id = s.account_id
    AND kept.user_id = s.recipient) END`;

/** The newest comes first. */
export async function listSuppressions(
  { lists }: Database,
  accountKeys: AccountKeys,
  accountId: AccountId,
  { phone, scope, limit, cursor }: SuppressionFilter,
): Promise<{ readonly suppressions: readonly SuppressionView[]; readonly nextCursor: string | null }> {
  const key =
    phone === null ? null : recipientKeyOf((await accountKeys.fingerprinting(accountId)).fingerprintKey, phone);
  const [at = null, afterKey = null, afterScope = null] = cursor === null ? [] : (placeOf(cursor) ?? []);
  const { rows } = await lists.query<Row>(
    `SELECT s.recipient, s.scope, s.reason, s.source_id AS "sourceId", s.actor, s.created_at AS "createdAt", s.recipient_key AS "recipientKey"
     FROM suppressions s
     WHERE s.account_id = $1 AND ($2::bytea IS NULL OR s.recipient_key = $2) AND ($3::text IS NULL OR s.scope = $3)
       AND NOT ${isShownByNumber}
       AND ($4::timestamptz IS NULL OR (s.created_at, s.recipient_key, s.scope) < ($4, $5::bytea, $6::text))
     ORDER BY s.created_at DESC, s.recipient_key DESC, s.scope DESC LIMIT $7 + 1`,
    [accountId, key, scope, at, afterKey, afterScope, limit],
  );
  const suppressions = rows.slice(0, limit);
  const last = suppressions.at(-1);
  return { suppressions, nextCursor: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}

/** The words and replies of the account, or the usual ones. */
export async function readOptOut({ pool }: Database, accountId: AccountId): Promise<OptOutSettings> {
  const { rows } = await pool.query<{ country: string; optOut: OptOutSettings | null }>({
    name: 'read-opt-out',
    text: `SELECT country, opt_out AS "optOut" FROM accounts WHERE id = $1`,
    values: [accountId],
  });
  return rows[0]?.optOut ?? usualOptOut(rows[0]?.country ?? usualCountry);
}

export async function writeOptOut(
  database: Database,
  accountId: AccountId,
  settings: OptOutSettings,
  audit: Audit | undefined,
): Promise<void> {
  await audited(database, audit, accountId, async (queryable) => {
    const { rowCount } = await queryable.query('UPDATE accounts SET opt_out = $2 WHERE id = $1', [accountId, settings]);
    return rowCount === 1;
  });
}
