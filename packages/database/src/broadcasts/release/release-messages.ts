/**
 * Releases the next messages of a running broadcast to the lanes of its devices, a few seconds of their pace at a time. The
 * messages, their recipients' rows and the quota change in one transaction, under the lock of the broadcast. A message's id
 * derives from the broadcast, the recipient, the round and the day, so releasing again after a failover makes no second
 * message. Reports and retention read the day in the id.
 *
 * A recipient goes to the device that knows the person. A person whom none knows goes to a device that may write to
 * new contacts.
 */
import {
  type ApiKeyId,
  derivedId,
  messageCategories,
  type PauseReason,
  type ParsedTemplate,
  renderTemplate,
  type SkipReason,
  textContent,
  type UserId,
} from '@kurir/contracts';
import { beginTraces, traced } from '@kurir/tracing';
import type pg from 'pg';
import type { AccountKeys, SealingKeys } from '../../accounts/account-keys.js';
import type { OpenPeriod } from '../../messages/grant-quota.js';
import type { NewMessage } from '../../messages/new-message.js';
import { storeMessages } from '../../messages/store-messages.js';
import type { Sender } from './broadcast-devices.js';
import { chooseShares, mostAtOnce, type Pending, type Share } from './choose-shares.js';
import type { LockedBroadcast } from '../state/broadcast-state.js';
import { type BroadcastText, type KeyOf, openText, openValues, parsedText } from '../state/broadcast-text.js';
import type { OpenHours } from '../../recipients/open-hours.js';
import { hasPendingIn, hoursOf, openZones } from './broadcast-hours.js';
import { readRefused } from '../state/read-refused.js';
import { requireAll } from './require-all.js';
import { readTooOften } from './read-too-often.js';
import { keepReservation, useReserved } from '../state/reserve-quota.js';

/** The pace of a broadcast is released this long ahead. */
const aheadMs = 10_000;

/** How many messages the pace of the broadcast allows now, and the time up to which it was used before. */
function paceOf({ pacePerMinute, pacedUntil }: LockedBroadcast, nowMs: number) {
  const fromMs = Math.max(pacedUntil?.getTime() ?? 0, nowMs);
  if (pacePerMinute === null) return { allowed: mostAtOnce, usedUntil: () => null };
  const everyMs = 60_000 / pacePerMinute;
  const allowed = Math.max(Math.floor((nowMs + aheadMs - fromMs) / everyMs), fromMs === nowMs ? 1 : 0);
  return { allowed, usedUntil: (count: number) => new Date(fromMs + count * everyMs) };
}

const dayMs = 86_400_000;

/** The time in the ids of messages: the beginning of the UTC day, or of the round if that is later. */
const idTimeOf = ({ roundAt }: LockedBroadcast, now: Date): number =>
  Math.max(roundAt?.getTime() ?? 0, Math.floor(now.getTime() / dayMs) * dayMs);

type Fresh = {
  readonly position: number;
  readonly message: NewMessage;
  readonly sender: Sender;
  readonly window: OpenHours | null;
};
type Skipped = { readonly position: number; readonly reason: SkipReason };

type Making = {
  readonly broadcast: LockedBroadcast;
  readonly template: ParsedTemplate;
  readonly keyOf: KeyOf;
  readonly refused: ReadonlySet<string>;
  readonly tooOften: ReadonlySet<string>;
  readonly now: Date;
};

function make(
  { broadcast, template, keyOf, refused, tooOften, now }: Making,
  sender: Sender,
  row: Pending,
): Fresh | Skipped {
  const { id, accountId, category, createdBy } = broadcast;
  const { position, recipient, round } = row;
  if (refused.has(recipient)) return { position, reason: 'suppressed' };
  // Somebody has asked to send again.
  if (round === 1 && tooOften.has(recipient)) return { position, reason: 'too_often' };
  const window = hoursOf(broadcast, row.zone, now);
  if (window === 'never') return { position, reason: 'no_open_hour' };
  const values = openValues(keyOf, broadcast, row);
  if (values === null) return { position, reason: 'missing_value' };
  const rendering = renderTemplate(template, values, { recipient, seed: id });
  if (rendering.kind !== 'text')
    return { position, reason: rendering.kind === 'missing' ? 'missing_value' : 'text_refused' };
  const message: NewMessage = {
    id: derivedId('msg', idTimeOf(broadcast, now), id, recipient, round),
    accountId,
    deviceId: sender.id,
    // A key or a person created the broadcast.
    keyId: createdBy as ApiKeyId | UserId,
    requestId: id,
    repeatKey: Buffer.alloc(0),
    position: 0,
    broadcastId: id,
    input: {
      content: textContent(rendering.text),
      recipient,
      clientRef: null,
      priority: 'bulk',
      category: messageCategories[category] ?? 'marketing',
      ttlSeconds: null,
      sendAt: null,
    },
  };
  return { position, message, sender, window };
}

/**
 * Over `t` with positions: the pending rows of the broadcast `$1`. Each is found by the primary key. In a plain join, a plan
 * that was made for a short list would read all rows of a long one.
 */
const pendingAt = `CROSS JOIN LATERAL (
             SELECT ctid AS at FROM broadcast_recipients WHERE broadcast_id = $1 AND position = t.position AND state + 0 = 0 LIMIT 1) found`;

async function noteReleased(client: pg.PoolClient, { id }: LockedBroadcast, fresh: readonly Fresh[]): Promise<void> {
  const { rowCount } = await client.query({
    name: 'note-released',
    text: `UPDATE broadcast_recipients r SET state = 2, message_id = found.message_id, device_id = found.device_id
           FROM (SELECT found.at, t.message_id, t.device_id
                 FROM unnest($2::int[], $3::text[], $4::text[]) AS t (position, message_id, device_id) ${pendingAt}) found
           WHERE r.ctid = found.at`,
    values: [
      id,
      fresh.map(({ position }) => position),
      fresh.map(({ message }) => message.id),
      fresh.map(({ sender }) => sender.id),
    ],
  });
  requireAll(rowCount, fresh.length);
}

async function noteSkipped(client: pg.PoolClient, { id }: LockedBroadcast, skipped: readonly Skipped[]): Promise<void> {
  if (skipped.length === 0) return;
  const { rowCount } = await client.query({
    name: 'note-skipped',
    text: `UPDATE broadcast_recipients r SET state = 1, skip_reason = found.reason, key_number = NULL, sealed = NULL
           FROM (SELECT found.at, t.reason FROM unnest($2::int[], $3::text[]) AS t (position, reason) ${pendingAt}) found
           WHERE r.ctid = found.at`,
    values: [id, skipped.map(({ position }) => position), skipped.map(({ reason }) => reason)],
  });
  requireAll(rowCount, skipped.length);
}

/** Each message that is traced has a trace of its own, for all of a broadcast together would be one without end. */
const beginTracesOf = ({ id }: LockedBroadcast, fresh: readonly Fresh[]) =>
  beginTraces('release message', fresh, {
    link: null,
    attributesOf: ({ message }) => ({
      'kurir.broadcast_id': id,
      'kurir.job_id': message.id,
      'kurir.device_id': message.deviceId,
    }),
  });

async function store(
  client: pg.PoolClient,
  broadcast: LockedBroadcast,
  accountKeys: SealingKeys,
  fresh: readonly Fresh[],
): Promise<void> {
  const { accountId } = broadcast;
  const paying = await useReserved(client, broadcast, fresh.length);
  const periods = paying.flatMap(({ periodId, count }): OpenPeriod[] =>
    periodId === null ? [] : [{ id: periodId, account_id: accountId, unlimited: false, remaining: 0, taken: count }],
  );
  const payers = paying.flatMap(({ periodId, count }) => Array.from({ length: count }, () => periodId));
  const spans = beginTracesOf(broadcast, fresh);
  const granted = fresh.map(({ message, sender, window }, i) => ({
    message: traced(message, spans?.[i]),
    network: sender.network,
    periodId: payers[i] ?? null,
    accountKeys,
    window,
  }));
  if ((await storeMessages(client, { keys: [], granted, periods })) === null)
    throw new Error('a broadcast has released more than it reserved');
  await noteReleased(client, broadcast, fresh);
  for (const span of spans ?? []) span?.end();
}

type Dealing = {
  readonly client: pg.PoolClient;
  readonly accountKeys: AccountKeys;
  readonly broadcast: LockedBroadcast;
  readonly text: BroadcastText;
  readonly now: Date;
};

/** Turns the chosen recipients into messages, or into skipped ones. Returns how many messages it stored. */
async function deal(dealing: Dealing, shares: readonly Share[]): Promise<number> {
  const { client, accountKeys, broadcast, text, now } = dealing;
  const { accountId } = broadcast;
  const rows = shares.flatMap(({ pending }) => pending);
  const recipients = rows.map(({ recipient }) => recipient);
  const keys = (await accountKeys.sealing(new Map([[accountId, rows.length]]))).get(accountId);
  if (keys === undefined) throw new Error('an account has no keys');
  const numbers = [...new Set(rows.flatMap(({ keyNumber }) => keyNumber ?? []))];
  const making = {
    broadcast,
    template: parsedText(text),
    keyOf: await accountKeys.opening(numbers.map((number) => ({ accountId, number }))),
    refused: await readRefused(client, broadcast, keys, recipients),
    tooOften: await readTooOften(client, broadcast, recipients),
    now,
  };
  const made = shares.flatMap(({ sender, pending }) => pending.map((row) => make(making, sender, row)));
  const fresh = made.filter((each): each is Fresh => 'message' in each);
  const skipped = made.filter((each): each is Skipped => 'reason' in each);
  await noteSkipped(client, broadcast, skipped);
  if (fresh.length > 0) await store(client, broadcast, keys, fresh);
  return fresh.length;
}

/** Returns how many recipients it dealt with, or the reason why the broadcast must pause. */
export async function releaseWindow(
  client: pg.PoolClient,
  accountKeys: AccountKeys,
  broadcast: LockedBroadcast,
  senders: readonly Sender[],
): Promise<number | PauseReason> {
  const text = await openText(accountKeys, broadcast);
  // The text of a broadcast is erased after its end, and then nobody can resume it.
  if (text === null) throw new Error('the text of a broadcast cannot be opened');
  const now = new Date();
  const zones = openZones(broadcast, now);
  if (!(await hasPendingIn(client, broadcast, zones))) return 'window';
  const paid = await keepReservation(client, broadcast);
  if (paid === null) return 'quota';
  const pace = paceOf(broadcast, now.getTime());
  const shares = await chooseShares(client, { broadcast, zones }, senders, pace.allowed);
  const chosen = shares.reduce((sum, { pending }) => sum + pending.length, 0);
  if (chosen === 0) return 0;
  const stored = await deal({ client, accountKeys, broadcast: paid, text, now }, shares);
  await client.query({
    name: 'note-pace',
    text: 'UPDATE broadcasts SET paced_until = $2 WHERE id = $1',
    values: [broadcast.id, pace.usedUntil(stored)],
  });
  return chosen;
}
