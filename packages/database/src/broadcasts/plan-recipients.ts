/**
 * Adds recipients to a broadcast that is being planned. Their values are frozen here. A row that can get no message is kept
 * with the reason, so that nobody disappears silently. It runs under the lock of the broadcast, in the transaction that
 * notes how far the plan is. So a second run goes on after it.
 */
import { type BroadcastId, type ParsedTemplate, renderTemplate, type SkipReason, type Values } from '@kurir/contracts';
import type pg from 'pg';
import type { SealingKeys } from '../accounts/account-keys.js';
import type { LockedBroadcast } from './state/broadcast-state.js';
import { readWhereabouts } from '../recipients/recipient-hours.js';
import { readRefused } from './state/read-refused.js';
import { sealValues } from './state/broadcast-text.js';

/** `recipient` is null if the number is not possible; `written` is the number as it stands in the list. */
export type PlannedRow = {
  readonly recipient: string | null;
  readonly written: string;
  readonly values: Values;
  /** The row of its file is broken. */
  readonly isBroken?: boolean;
};

const writtenMaxLength = 64;

type Place = { readonly client: pg.PoolClient; readonly broadcast: LockedBroadcast; readonly keys: SealingKeys };

/** Those of the recipients that are in the broadcast already. */
async function readPlanned(client: pg.PoolClient, id: BroadcastId, recipients: readonly string[]) {
  const { rows } = await client.query<{ recipient: string }>({
    name: 'read-planned-recipients',
    text: `SELECT recipient FROM broadcast_recipients WHERE broadcast_id = $1 AND recipient = ANY ($2::text[]) AND state <> 1`,
    values: [id, recipients],
  });
  return new Set(rows.map(({ recipient }) => recipient));
}

/** The device of the broadcast that had contact with a recipient last. */
async function readKnowing(client: pg.PoolClient, deviceIds: readonly string[], recipients: readonly string[]) {
  const { rows } = await client.query<{ recipient: string; deviceId: string }>({
    name: 'read-knowing-devices',
    text: `SELECT DISTINCT ON (recipient) recipient, device_id AS "deviceId" FROM device_contacts
           WHERE device_id = ANY ($1::text[]) AND recipient = ANY ($2::text[]) ORDER BY recipient, seen_at DESC, device_id`,
    values: [deviceIds, recipients],
  });
  return new Map(rows.map(({ recipient, deviceId }) => [recipient, deviceId]));
}

function skipReasonOf(row: PlannedRow, template: ParsedTemplate, id: BroadcastId): SkipReason | null {
  if (row.isBroken === true) return 'unreadable_row';
  if (row.recipient === null) return 'invalid_number';
  const rendering = renderTemplate(template, row.values, { recipient: row.recipient, seed: id });
  if (rendering.kind === 'missing') return 'missing_value';
  return rendering.kind === 'refused' ? 'text_refused' : null;
}

/** Returns how many of the rows will get a message. */
export async function planRows(place: Place, template: ParsedTemplate, rows: readonly PlannedRow[]): Promise<number> {
  const { client, broadcast, keys } = place;
  const { id } = broadcast;
  const recipients = [...new Set(rows.flatMap(({ recipient }) => recipient ?? []))];
  const [planned, knowing, refused, whereaboutsOf] = [
    await readPlanned(client, id, recipients),
    await readKnowing(client, broadcast.deviceIds, recipients),
    await readRefused(client, broadcast, keys, recipients),
    await readWhereabouts(
      client,
      recipients.map((recipient) => ({ accountId: broadcast.accountId, recipient })),
    ),
  ];
  const columns = rows.map((row, i) => {
    const position = broadcast.recipients + i + 1;
    let skipReason = skipReasonOf(row, template, id);
    if (skipReason === null && row.recipient !== null) {
      if (refused.has(row.recipient)) skipReason = 'suppressed';
      else if (planned.has(row.recipient)) skipReason = 'duplicate';
      else planned.add(row.recipient);
    }
    const hasValues = skipReason === null && Object.keys(row.values).length > 0;
    const sealed = hasValues ? sealValues(keys, id, position, row.values) : null;
    const recipient = row.recipient ?? row.written.slice(0, writtenMaxLength).replaceAll('\u0000', '');
    const zone = row.recipient === null ? '' : whereaboutsOf(broadcast.accountId, row.recipient).zone;
    return {
      position,
      recipient,
      sealed,
      skipReason,
      zone,
      deviceId: row.recipient && (knowing.get(row.recipient) ?? null),
    };
  });
  await client.query({
    name: 'plan-recipients',
    text: `INSERT INTO broadcast_recipients (broadcast_id, position, recipient, key_number, sealed, device_id, state, skip_reason, zone)
           SELECT $1, position, recipient, key_number, sealed, device_id, CASE WHEN skip_reason IS NULL THEN 0 ELSE 1 END, skip_reason, zone
           FROM unnest($2::int[], $3::text[], $4::int[], $5::bytea[], $6::text[], $7::text[], $8::text[])
             AS t (position, recipient, key_number, sealed, device_id, skip_reason, zone)`,
    values: [
      id,
      columns.map(({ position }) => position),
      columns.map(({ recipient }) => recipient),
      columns.map(({ sealed }) => sealed?.keyNumber ?? null),
      columns.map(({ sealed }) => sealed?.sealed ?? null),
      columns.map(({ deviceId }) => deviceId),
      columns.map(({ skipReason }) => skipReason),
      columns.map(({ zone }) => zone),
    ],
  });
  await client.query({
    name: 'note-planned',
    text: `UPDATE broadcasts SET recipients = recipients + $2, changed_at = now(),
             zones = ARRAY(SELECT DISTINCT zone FROM unnest(zones || $3::text[]) AS t (zone) ORDER BY zone) WHERE id = $1`,
    values: [
      id,
      rows.length,
      [...new Set(columns.flatMap(({ skipReason, zone }) => (skipReason === null ? zone : [])))],
    ],
  });
  return columns.filter(({ skipReason }) => skipReason === null).length;
}
