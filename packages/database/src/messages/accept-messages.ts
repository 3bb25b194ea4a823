/**
 * Step 3, accept: stores a batch of messages, takes their quota and recognises repeats, all or nothing. The input is
 * verified and valid. A second run with the same repeat key or `client_ref` stores nothing and returns the first
 * outcome, whatever has changed since.
 *
 * First, reads without locks give the data for all decisions. Then one statement writes everything. If another process
 * was faster, the statement undoes itself, and the batch is decided again with the quota locked.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type AccountId, isNetwork, isSandbox, isTestKey, limits, usualWindow } from '@kurir/contracts';
import type pg from 'pg';
import type { AccountKeys, SealingKeys } from '../accounts/account-keys.js';
import { fingerprintOf, messageAsked } from '../accounts/fingerprint.js';
import { acceptsSends } from '../devices/device-condition.js';
import { againAfterDeadlock, type Database, inTransaction, withConnection } from '../postgres/connect.js';
import { isUnavailable } from '../postgres/connections/unavailable.js';
import { createGroupCommit, type GroupCommit, Overloaded } from '../postgres/group-commit.js';
import type { OpenHours } from '../recipients/open-hours.js';
import { hoursOfBegins, openHours, readWhereabouts, type WhereaboutsOf } from '../recipients/recipient-hours.js';
import { readSuppressed, recipientKeyOf } from '../recipients/suppressed.js';
import { free, grantQuota, type OpenPeriod, type PeriodsAre, readOpenPeriods } from './grant-quota.js';
import type { AcceptOutcome, AcceptRefusal, NewMessage } from './new-message.js';
import {
  type RequestKey,
  readWinners,
  requestKeysOf,
  standingOf,
  type Winner,
  type WonKey,
  writeKeys,
} from './request-keys.js';
import { type Batch, type Granted, type Stored, storeMessages } from './store-messages.js';

type KnownDevice = { readonly network: string; readonly accepts: boolean };

/** The devices of the batch, by account and id. A device that is missing here does not exist for the caller. */
async function readDevices(client: pg.PoolClient, messages: readonly NewMessage[]): Promise<Map<string, KnownDevice>> {
  const { rows } = await client.query<{ id: string; account_id: string } & KnownDevice>({
    name: 'read-accepting-devices',
    text: `SELECT d.id, d.account_id, d.network, ${acceptsSends} AS accepts
           FROM devices d JOIN device_leases l ON l.device_id = d.id WHERE d.id = ANY ($1::text[])`,
    values: [[...new Set(messages.map((message) => message.deviceId))]],
  });
  return new Map(rows.map((row) => [`${row.account_id} ${row.id}`, row]));
}

/** The stored data that decides about each message. */
type Grounds = {
  /** The batch adds its own winners, so the first of two equal messages counts. */
  readonly winners: Map<string, Winner>;
  readonly devices: ReadonlyMap<string, KnownDevice>;
  readonly periods: readonly OpenPeriod[];
  readonly isSuppressed: Awaited<ReturnType<typeof readSuppressed>>;
  readonly whereaboutsOf: WhereaboutsOf;
};

type Keyed = {
  readonly message: NewMessage;
  readonly keys: readonly RequestKey[];
  readonly recipientKey: Buffer;
  /** The keys of the message's account. */
  readonly accountKeys: SealingKeys;
};

function isPast(sendAt: Date | null): boolean {
  return sendAt !== null && sendAt.getTime() < Date.now() - limits.sendAtMaxLateSeconds * 1000;
}

type Decision = Granted | Exclude<AcceptOutcome, { kind: 'accepted' }>;

const isGranted = (decision: Decision): decision is Granted => 'message' in decision;

/** The hours in which it may begin. One that would expire before them, or wait for ever, is refused: an expiry never moves. */
function windowOf({ accountId, input }: NewMessage, whereaboutsOf: WhereaboutsOf): OpenHours | null | 'expires' {
  if (input.category !== 'marketing') return null;
  const dueAt = new Date(Math.max(Date.now(), input.sendAt?.getTime() ?? 0));
  const window = openHours(whereaboutsOf(accountId, input.recipient).names, hoursOfBegins(usualWindow), dueAt);
  const livesMs = (input.ttlSeconds ?? Number.POSITIVE_INFINITY) * 1_000;
  return window === null || window.opensAt.getTime() >= dueAt.getTime() + livesMs ? 'expires' : window;
}

const refused = (code: AcceptRefusal): Decision => ({ kind: 'refused', code });

function decideFresh(
  { message, recipientKey, accountKeys }: Keyed,
  { devices, periods, isSuppressed, whereaboutsOf }: Grounds,
): Decision {
  if (isPast(message.input.sendAt)) return refused('INVALID_REQUEST');
  const device = devices.get(`${message.accountId} ${message.deviceId}`);
  if (device === undefined) return refused('DEVICE_NOT_FOUND');
  if (isTestKey(message.keyId) && !isSandbox(device.network)) return refused('KEY_NOT_ALLOWED');
  // A worker of a newer version may hold a device whose network this api does not know.
  if (!device.accepts || !isNetwork(device.network)) return refused('DEVICE_NOT_CONNECTED');
  const { accountId, input } = message;
  if (isSuppressed({ accountId, recipientKey }, input.category)) return refused('RECIPIENT_SUPPRESSED');
  const window = windowOf(message, whereaboutsOf);
  if (window === 'expires') return refused('EXPIRES_IN_QUIET_HOURS');
  const grant = isTestKey(message.keyId) ? free : grantQuota(periods, accountId);
  if (grant.kind !== 'granted') return grant;
  return { message, network: device.network, periodId: grant.periodId, accountKeys, window };
}

/**
 * Gives the message those of its keys that are still free. A repeat with a new key gets the first outcome under that
 * key too.
 */
function winKeys({ message, keys, accountKeys }: Keyed, decision: Decision, winners: Map<string, Winner>): WonKey[] {
  if (!isGranted(decision) && decision.kind === 'refused') return [];
  const messageId = isGranted(decision) ? message.id : decision.messageId;
  const won = keys.filter((key) => !winners.has(key.name));
  if (won.length === 0) return [];
  const { fingerprintKey, fingerprintVersion } = accountKeys;
  // Only a `client_ref` needs a fingerprint.
  const fingerprint =
    message.input.clientRef === null ? null : fingerprintOf(fingerprintKey, messageAsked(message), fingerprintVersion);
  const winner = { messageId, deviceId: message.deviceId, fingerprint };
  for (const key of won) winners.set(key.name, winner);
  return won.map((key) => ({ key, winner }));
}

/** Decides in order, so each message sees the effects of those before it. */
function decide(batch: readonly Keyed[], grounds: Grounds) {
  const won: WonKey[] = [];
  const decisions = batch.map((keyed) => {
    const standing = standingOf(keyed.message, keyed.keys, keyed.accountKeys, grounds.winners);
    const decision = standing.kind === 'fresh' ? decideFresh(keyed, grounds) : standing;
    won.push(...winKeys(keyed, decision, grounds.winners));
    return decision;
  });
  return { decisions, won };
}

async function write(client: pg.PoolClient, batch: Batch): Promise<Stored | null> {
  if (batch.granted.length > 0) return storeMessages(client, batch);
  return batch.keys.length === 0 || (await writeKeys(client, batch.keys)) ? new Map() : null;
}

/** Returns the outcomes in order. Returns null if another process was faster; then nothing is stored. */
async function tryToAccept(
  client: pg.PoolClient,
  batch: readonly Keyed[],
  periodsAre: PeriodsAre,
): Promise<AcceptOutcome[] | null> {
  const messages = batch.map(({ message }) => message);
  const accountIds = [...new Set(messages.map((message) => message.accountId))];
  const allKeys = batch.flatMap(({ keys }) => keys);
  // One round trip. Winners are read last: whoever took the quota first has also written its key, and a repeat must
  // find it.
  const marketing = messages.filter(({ input }) => input.category === 'marketing');
  const [devices, periods, isSuppressed, whereaboutsOf, winners] = await Promise.all([
    readDevices(client, messages),
    readOpenPeriods(client, accountIds, periodsAre),
    readSuppressed(
      client,
      batch.map(({ message: { accountId }, recipientKey }) => ({ accountId, recipientKey })),
    ),
    readWhereabouts(
      client,
      marketing.map(({ accountId, input: { recipient } }) => ({ accountId, recipient })),
    ),
    readWinners(client, allKeys),
  ]);
  const { decisions, won } = decide(batch, { winners, devices, periods, isSuppressed, whereaboutsOf });
  const stored = await write(client, { keys: won, granted: decisions.filter(isGranted), periods });
  if (stored === null) return null;
  return decisions.map((decision) => {
    if (!isGranted(decision)) return decision;
    const accepted = stored.get(decision.message.id);
    if (accepted === undefined) throw new Error('a granted message was not stored');
    return accepted;
  });
}

/**
 * With locked periods, a try fails only if another process wrote one of the keys meanwhile. The next try finds that
 * key.
 */
const maxTries = 50;

async function withKeys(accountKeys: AccountKeys, messages: readonly NewMessage[]): Promise<Keyed[]> {
  const counts = new Map<AccountId, number>();
  for (const { accountId } of messages) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
  const keysOfAccounts = await accountKeys.sealing(counts);
  return messages.map((message) => {
    const keysOfAccount = keysOfAccounts.get(message.accountId);
    if (keysOfAccount === undefined) throw new Error('an account has no keys');
    const recipientKey = recipientKeyOf(keysOfAccount.fingerprintKey, message.input.recipient);
    return { message, keys: requestKeysOf(message), recipientKey, accountKeys: keysOfAccount };
  });
}

/**
 * Accepts the messages of one bulk or of several requests, all or nothing. Returns the outcomes in order.
 *
 * If another process was faster, the quota is locked before it is read. Otherwise a bulk near the end of the quota
 * would lose to single sends again and again. Two processes may then wait for each other's keys. Postgres ends one of
 * them, and it tries again.
 */
export async function acceptTogether(
  { pool }: Database,
  accountKeys: AccountKeys,
  messages: readonly NewMessage[],
): Promise<AcceptOutcome[]> {
  const batch = await withKeys(accountKeys, messages);
  const first = () => withConnection(pool, (client) => tryToAccept(client, batch, 'as read'));
  const again = () => inTransaction(pool, (client) => tryToAccept(client, batch, 'locked'));
  let outcomes = await againAfterDeadlock(first);
  for (let left = maxTries; outcomes === null && left > 0; left--) outcomes = await again();
  if (outcomes === null) throw new Overloaded(`others were faster ${maxTries} times`);
  return outcomes;
}

export type Acceptor = GroupCommit<NewMessage, AcceptOutcome> & {
  /** Milliseconds since the last message arrived. Infinite before the first. */
  quietMs(): number;
};

/** Accepts single sends. Those that arrive together share a commit. */
export function createAcceptor(database: Database, accountKeys: AccountKeys): Acceptor {
  let submittedAt = Number.NEGATIVE_INFINITY;
  const group = createGroupCommit({
    maxItems: 128,
    writers: 2,
    everyMs: 6,
    maxWaiting: 20_000,
    commit: (messages: readonly NewMessage[]) => acceptTogether(database, accountKeys, messages),
    isItemFault: (error) => !isUnavailable(error) && !(error instanceof Overloaded),
  });
  return {
    ...group,
    submit(message) {
      submittedAt = performance.now();
      return group.submit(message);
    },
    quietMs: () => performance.now() - submittedAt,
  };
}

/** Resolves after the commit. Rejects with `Overloaded` if too many messages wait, and then stores nothing. */
export function acceptMessage(acceptor: Pick<Acceptor, 'submit'>, message: NewMessage): Promise<AcceptOutcome> {
  return acceptor.submit(message);
}

/** Single sends count as frequent while the last one is no older than this. */
const comingMs = 1_000;
/**
 * While single sends are frequent, bulks pause this many times as long as the last bulk took, up to `longestRestMs`.
 */
const restOverStoring = 7;
const longestRestMs = 1_000;

export type BulkAcceptor = GroupCommit<readonly NewMessage[], AcceptOutcome[]>;

/**
 * Accepts bulks, each in its own commit, two at a time. While single sends are frequent, bulks use only a part of the
 * time. So single sends keep their connections, and codes keep their share of Postgres.
 */
export function createBulkAcceptor(
  database: Database,
  accountKeys: AccountKeys,
  singles: Pick<Acceptor, 'quietMs'>,
): BulkAcceptor {
  let restUntil = Number.NEGATIVE_INFINITY;

  async function store(messages: readonly NewMessage[]): Promise<AcceptOutcome[]> {
    const restMs = restUntil - performance.now();
    if (restMs > 0 && singles.quietMs() < comingMs) await sleep(restMs);
    const begunAt = performance.now();
    try {
      return await acceptTogether(database, accountKeys, messages);
    } finally {
      const endedAt = performance.now();
      restUntil = endedAt + Math.min(restOverStoring * (endedAt - begunAt), longestRestMs);
    }
  }

  return createGroupCommit({
    maxItems: 1,
    writers: 2,
    maxWaiting: 100,
    commit: (bulks: readonly (readonly NewMessage[])[]) => Promise.all(bulks.map(store)),
    isItemFault: () => false,
  });
}

/**
 * Accepts all messages of a bulk or none. Returns their outcomes in order, after the commit. Rejects like
 * `acceptMessage`.
 */
export function acceptBulk(
  acceptor: Pick<BulkAcceptor, 'submit'>,
  messages: readonly NewMessage[],
): Promise<AcceptOutcome[]> {
  return acceptor.submit(messages);
}
