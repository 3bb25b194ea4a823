import type { MessageId, SendInput } from '@kurir/contracts';
import { waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ClaimOutcome,
  type ClaimRequest,
  claimAgain,
  createClaimer,
  type Holder,
  readUnsettled,
} from './claim-message.js';
import { type Database, openDatabase } from './connect.js';
import { takeLeases } from './leases.js';
import { cancelMessage } from './read-messages.js';
import { wakeMessages } from './sweep-messages.js';
import { copies, present, type Tenant, useBench } from './testing/bench.js';
import { moveMessages } from './write-status.js';

const bench = useBench();

/** A second worker process. */
let other: Database;
beforeAll(() => {
  other = openDatabase({ url: bench().url, poolSize: 3 });
});
afterAll(() => other.close());

const farAhead = 2n ** 62n;
type Asked = { priority?: number; upToSeq?: bigint | null; most?: number; except?: MessageId[]; database?: Database };

const request = (
  holder: Holder,
  { priority = 1, upToSeq = farAhead, most = 1, except = [] }: Asked = {},
): ClaimRequest => ({
  ...holder,
  priority,
  upToSeq,
  most,
  except,
});

const claim = (holder: Holder, asked: Asked = {}) =>
  createClaimer(asked.database ?? bench().database).submit(request(holder, asked));

const textOf = (outcome: ClaimOutcome) =>
  outcome.kind === 'claimed' ? outcome.messages.map(({ text }) => text).join() : outcome.kind;

async function accept(tenant: Tenant, ...inputs: Partial<SendInput>[]): Promise<MessageId[]> {
  return (await bench().accept(tenant, inputs)).map((message) => message.messageId);
}

async function acceptOne(tenant: Tenant, input: Partial<SendInput> = {}): Promise<MessageId> {
  const [id] = await accept(tenant, input);
  if (id === undefined) throw new Error('nothing was accepted');
  return id;
}

const sent = (id: MessageId) => moveMessages(bench().database.pool, [{ id, to: 'sent' }]);

/** Everything that can be claimed now, in order, each answered as sent at once. */
async function drain(tenant: Tenant, priority = 1): Promise<string[]> {
  const texts: string[] = [];
  for (;;) {
    const outcome = await claim(tenant.holder, { priority });
    if (outcome.kind !== 'claimed') return texts;
    for (const { id, text } of outcome.messages) {
      texts.push(text);
      await sent(id);
    }
  }
}

/** As a refusal for now leaves a message, so long from now. */
const held = (interval: string) =>
  ['held_until', 'waits_until'].map((column) => `${column} = now() + interval '${interval}'`).join();

const texts = (...all: string[]): Partial<SendInput>[] => all.map((text) => ({ text }));

async function set(id: MessageId, change: string): Promise<void> {
  await bench().query(`UPDATE messages SET ${change} WHERE id = $1`, [id]);
}

describe('a claim', () => {
  test('takes the oldest message and says whether there is more of the turn', async () => {
    const tenant = await bench().tenant();
    const [first, second] = await bench().accept(tenant, texts('a', 'b', 'c'));
    const upToSeq = present(second?.seq);
    expect(await claim(tenant.holder, { upToSeq })).toMatchObject({
      kind: 'claimed',
      messages: [{ text: 'a' }],
      more: true,
    });
    expect(await bench().state(present(first?.messageId))).toMatchObject({
      status: 'sending',
      attempts: 1,
      epoch: 1n,
    });
    expect(await bench().events(present(first?.messageId))).toEqual(['sending']);
    await sent(present(first?.messageId));
    const last = await claim(tenant.holder, { upToSeq });
    expect(last).toMatchObject({ kind: 'claimed', messages: [{ text: 'b' }], more: false });
    await sent(present(second?.messageId));
    expect(await claim(tenant.holder, { upToSeq })).toEqual({ kind: 'nothing' });
  });

  test('without an end takes whatever is due of its priority and above, what is urgent first', async () => {
    const tenant = await bench().tenant();
    await accept(
      tenant,
      { text: 'bulk', priority: 'bulk' },
      { text: 'later bulk', priority: 'bulk' },
      { text: 'normal' },
      { text: 'otp', priority: 'otp' },
    );
    const claimer = createClaimer(bench().database);
    const takeUpTo = async (priority: number, count: number) => {
      const taken: ClaimOutcome[] = [];
      for (let i = 0; i < count; i++) {
        const outcome = await claimer.submit(request(tenant.holder, { priority, upToSeq: null }));
        taken.push(outcome);
        if (outcome.kind === 'claimed') for (const { id } of outcome.messages) await sent(id);
      }
      return taken.map((outcome) => [textOf(outcome), outcome.kind === 'claimed' && outcome.more]);
    };
    expect(await takeUpTo(0, 2)).toEqual([
      ['otp', false],
      ['nothing', false],
    ]);
    await accept(tenant, { text: 'another otp', priority: 'otp' });
    expect(await takeUpTo(2, 5)).toEqual([
      ['another otp', true],
      ['normal', true],
      ['bulk', true],
      ['later bulk', false],
      ['nothing', false],
    ]);
  });

  test('keeps the order of acceptance within a priority, and the priorities apart', async () => {
    const tenant = await bench().tenant();
    const order = (['bulk', 'otp', 'normal', 'otp', 'bulk', 'normal'] as const).map((priority, i) => ({
      priority,
      text: `${priority} ${i}`,
    }));
    await accept(tenant, ...order);
    expect(await drain(tenant, 0)).toEqual(['otp 1', 'otp 3']);
    expect(await drain(tenant, 1)).toEqual(['normal 2', 'normal 5']);
    expect(await drain(tenant, 2)).toEqual(['bulk 0', 'bulk 4']);
  });

  test('takes nothing of another device', async () => {
    const tenant = await bench().tenant();
    await acceptOne(tenant);
    expect(await claim(await bench().device(tenant.accountId))).toEqual({ kind: 'nothing' });
  });

  test('leaves what is scheduled until its time, also when later ones go first', async () => {
    const tenant = await bench().tenant();
    const sendAt = new Date(Date.now() + 3_600_000);
    const [scheduled] = await accept(tenant, { text: 'later', sendAt }, { text: 'now' });
    expect(await drain(tenant)).toEqual(['now']);
    await set(present(scheduled), `send_at = now() - interval '1 second', waits_until = now() - interval '1 second'`);
    expect(await drain(tenant)).toEqual([]);
    expect(await wakeMessages(bench().database)).toContain(tenant.deviceId);
    expect(await drain(tenant)).toEqual(['later']);
  });

  test('never takes what has expired, whether the sweep has seen it or not', async () => {
    const tenant = await bench().tenant();
    const [late] = await accept(tenant, { text: 'late', priority: 'otp' }, { text: 'in time', priority: 'otp' });
    await set(present(late), 'expires_at = now() - make_interval(secs => 1)');
    expect(await drain(tenant, 0)).toEqual(['in time']);
    expect(await bench().state(present(late))).toMatchObject({ status: 'queued', attempts: 0 });
  });

  test('says how much time the message has left, and so does the next try', async () => {
    const tenant = await bench().tenant();
    await accept(tenant, { text: 'short', ttlSeconds: 30 }, { text: 'patient' });
    const claimed = await claim(tenant.holder);
    const [short] = claimed.kind === 'claimed' ? claimed.messages : [];
    if (short === undefined) throw new Error('nothing was claimed');
    expect(short.expiresInMs).toBeGreaterThan(0);
    expect(short.expiresInMs).toBeLessThanOrEqual(30_000);
    const again = await claimAgain(bench().database, tenant.holder, { id: short.id, epoch: tenant.holder.epoch });
    expect(again?.expiresInMs).toBeLessThanOrEqual(short.expiresInMs ?? 0);
    await sent(short.id);
    const patient = await claim(tenant.holder);
    expect(patient).toMatchObject({ messages: [{ text: 'patient', expiresInMs: null }] });
  });

  test('leaves a held recipient and those behind it, and takes what is for others', async () => {
    const tenant = await bench().tenant();
    const [a, b] = ['6281234567890', '6281234567891'];
    const [, refused] = await accept(
      tenant,
      { text: 'a before', recipient: a },
      { text: 'a held', recipient: a },
      { text: 'b', recipient: b },
      { text: 'a behind', recipient: a },
      { text: 'a otp', recipient: a, priority: 'otp' },
    );
    await set(present(refused), held('1 hour'));
    expect(await drain(tenant)).toEqual(['a before', 'b']);
    expect(await drain(tenant, 0)).toEqual(['a otp']);
    await set(present(refused), held('-1 second'));
    await wakeMessages(bench().database);
    expect(await drain(tenant)).toEqual(['a held', 'a behind']);
  });

  test('is not stopped by the same recipient being held on another device', async () => {
    const tenant = await bench().tenant();
    const second = { ...tenant, holder: await bench().device(tenant.accountId) };
    const refused = await acceptOne(tenant);
    await set(refused, held('1 hour'));
    await accept({ ...second, deviceId: second.holder.deviceId }, { text: 'free' });
    expect(await drain(second)).toEqual(['free']);
  });
});

describe('a claim without the lease', () => {
  test.each<[string, (holder: Holder) => Holder]>([
    ['of an earlier epoch', (holder) => ({ ...holder, epoch: holder.epoch - 1n })],
    ['of an epoch that is still to come', (holder) => ({ ...holder, epoch: holder.epoch + 1n })],
    ['of another worker', (holder) => ({ ...holder, owner: 'wrk_other' })],
  ])('%s takes nothing and says so', async (_what, change) => {
    const tenant = await bench().tenant();
    const id = await acceptOne(tenant);
    expect(await claim(change(tenant.holder))).toEqual({ kind: 'lease-lost' });
    expect(await bench().state(id)).toMatchObject({ status: 'queued', attempts: 0 });
  });

  test('that has run out takes nothing and says so', async () => {
    const tenant = await bench().tenant();
    await acceptOne(tenant);
    await bench().query('UPDATE device_leases SET expires_at = now() - make_interval(secs => 1) WHERE device_id = $1', [
      tenant.deviceId,
    ]);
    expect(await claim(tenant.holder)).toEqual({ kind: 'lease-lost' });
  });

  test('cannot be made by one that began while the lease still ran', async () => {
    const tenant = await bench().tenant();
    const id = await acceptOne(tenant);
    const blocker = await bench().database.pool.connect();
    await blocker.query('BEGIN');
    await blocker.query('SELECT 1 FROM messages WHERE id = $1 FOR UPDATE', [id]);
    const slow = claim(tenant.holder);
    await waitUntil(() => bench().waitsForLock(), { what: 'the claim waits for the message' });
    await bench().query('UPDATE device_leases SET expires_at = now() - make_interval(secs => 1) WHERE device_id = $1', [
      tenant.deviceId,
    ]);
    const taken = (await takeLeases(bench().database, 'wrk_next', 0, 100, 100)).map((lease) => lease.deviceId);
    await blocker.query('COMMIT');
    blocker.release();
    const claimed = (await slow).kind === 'claimed';
    // Either the claim was first, and the next owner finds it when it takes the lease; or the lease was, and it fails.
    expect(claimed && taken.includes(tenant.deviceId)).toBe(false);
  });
});

test('while a message of the device stands as sending, nothing is claimed: it has to be settled first', async () => {
  const [tenant, neighbour] = [await bench().tenant(), await bench().tenant()];
  const [begun] = await accept(tenant, ...texts('a', 'b'));
  await accept(neighbour, { text: 'c' });
  expect(textOf(await claim(tenant.holder))).toBe('a');
  expect(await claim(tenant.holder, { priority: 0 })).toEqual({ kind: 'unsettled' });
  expect(await claim(tenant.holder)).toEqual({ kind: 'unsettled' });
  expect(textOf(await claim(neighbour.holder))).toBe('c');
  await sent(present(begun));
  expect(textOf(await claim(tenant.holder))).toBe('b');
});

test('a claim beside what its worker is still having stored goes through; beside anything else that is sending it does not', async () => {
  const tenant = await bench().tenant();
  const [a, b] = await accept(tenant, ...texts('a', 'b', 'c'));
  const [first, second] = [present(a), present(b)];
  expect(textOf(await claim(tenant.holder))).toBe('a');
  expect(await claim(tenant.holder, { except: [first] })).toMatchObject({ messages: [{ text: 'b' }], more: true });
  expect(await claim(tenant.holder, { except: [first] })).toEqual({ kind: 'unsettled' });
  expect(await claim(tenant.holder, { except: [second] })).toEqual({ kind: 'unsettled' });
  expect(textOf(await claim(tenant.holder, { except: [first, second] }))).toBe('c');
});

describe('a claim of several', () => {
  test('takes as many as were asked for, in order, and says whether there are more', async () => {
    const tenant = await bench().tenant();
    const ids = await accept(tenant, ...texts('a', 'b', 'c', 'd', 'e'));
    const first = await claim(tenant.holder, { most: 3 });
    expect(first).toMatchObject({ messages: [{ text: 'a' }, { text: 'b' }, { text: 'c' }], more: true });
    const rest = await claim(tenant.holder, { most: 3, except: ids });
    expect(rest).toMatchObject({ messages: [{ text: 'd' }, { text: 'e' }], more: false });
    for (const id of ids) {
      expect(await bench().state(id)).toMatchObject({ status: 'sending', attempts: 1, epoch: 1n });
      expect(await bench().events(id)).toEqual(['sending']);
    }
  });

  test('that is as many as there are says that there are no more', async () => {
    const tenant = await bench().tenant();
    await accept(tenant, ...texts('a', 'b'));
    expect(await claim(tenant.holder, { most: 2 })).toMatchObject({
      messages: [{ text: 'a' }, { text: 'b' }],
      more: false,
    });
  });

  test('takes what is urgent first where it has no end, and nothing else where it has one', async () => {
    const tenant = await bench().tenant();
    const order = ['bulk', 'normal', 'otp', 'bulk', 'otp', 'normal'] as const;
    const ids = await accept(tenant, ...order.map((priority, i) => ({ priority, text: `${priority} ${i}` })));
    expect(textOf(await claim(tenant.holder, { priority: 1, most: 1 }))).toBe('normal 1');
    const all = await claim(tenant.holder, { priority: 2, upToSeq: null, most: 4, except: ids });
    expect(textOf(all)).toBe('otp 2,otp 4,normal 5,bulk 0');
  });

  test('leaves what must not go, and what stands behind it for the same recipient', async () => {
    const tenant = await bench().tenant();
    const recipients = ['6281200000001', '6281200000002', '6281200000001', '6281200000003'];
    const ids = await accept(tenant, ...recipients.map((recipient, i) => ({ recipient, text: `${i}` })));
    await set(present(ids[0]), held('1 hour'));
    await set(present(ids[1]), `expires_at = now() - interval '1 second'`);
    expect(textOf(await claim(tenant.holder, { most: 10 }))).toBe('3');
  });

  test('that loses one of them has the others settled first: they would overtake it if a claim of this lane took it', async () => {
    const tenant = await bench().tenant();
    const [, second] = await accept(tenant, ...texts('a', 'b', 'c'));
    const blocker = await bench().database.pool.connect();
    await blocker.query('BEGIN');
    await moveMessages(blocker, [{ id: present(second), to: 'cancelled' }]);
    const slow = claim(tenant.holder, { most: 3 });
    await waitUntil(() => bench().waitsForLock(), { what: 'the claim waits for the message' });
    await blocker.query('COMMIT');
    blocker.release();
    expect(await slow).toEqual({ kind: 'unsettled' });
    expect(await readUnsettled(bench().database, tenant.deviceId)).toHaveLength(2);
  });
});

describe('several at once', () => {
  test('a cancellation that races with a claim: exactly one of them wins, 200 times', async () => {
    const tenant = await bench().tenant();
    let cancelled = 0;
    for (let round = 0; round < 200; round++) {
      const id = await acceptOne(tenant);
      const [cancel, claimed] = await Promise.all([
        cancelMessage(other, tenant.accountId, id),
        round % 3 === 0 ? other.pool.query('SELECT 1').then(() => claim(tenant.holder)) : claim(tenant.holder),
      ]);
      expect([cancel, claimed.kind]).toEqual(
        cancel === 'cancelled'
          ? ['cancelled', expect.stringMatching(/nothing|unsettled/)]
          : ['not-cancellable', 'claimed'],
      );
      if (cancel === 'cancelled') cancelled++;
      else await moveMessages(bench().database.pool, [{ id, to: 'sent' }]);
    }
    expect(await bench().taken(tenant.accountId)).toEqual([200 - cancelled]);
  }, 60_000);

  test('a claim that lost its message to a cancellation says that there may be more', async () => {
    const tenant = await bench().tenant();
    const [first] = await accept(tenant, ...texts('a', 'b'));
    const blocker = await bench().database.pool.connect();
    await blocker.query('BEGIN');
    await moveMessages(blocker, [{ id: present(first), to: 'cancelled' }]);
    const slow = claim(tenant.holder);
    await waitUntil(() => bench().waitsForLock(), { what: 'the claim waits for the message' });
    await blocker.query('COMMIT');
    blocker.release();
    expect(await slow).toEqual({ kind: 'unsettled' });
    expect(textOf(await claim(tenant.holder))).toBe('b');
  });

  test('two claimers of one lane never take the same message', async () => {
    const tenant = await bench().tenant();
    const ids = await accept(tenant, ...copies(60));
    const claimers = [createClaimer(bench().database), createClaimer(other)];
    const taken: MessageId[] = [];
    const drainWith = async (claimer: (typeof claimers)[number]) => {
      for (;;) {
        const outcome = await claimer.submit(request(tenant.holder));
        if (outcome.kind === 'nothing') return;
        if (outcome.kind !== 'claimed') continue;
        for (const { id } of outcome.messages) {
          taken.push(id);
          await sent(id);
        }
      }
    };
    await Promise.all(claimers.flatMap((claimer) => [drainWith(claimer), drainWith(claimer)]));
    expect(taken.toSorted()).toEqual(ids.toSorted());
  });

  test('claims of many lanes share a statement and each has its own answer', async () => {
    const tenants = await Promise.all(Array.from({ length: 6 }, () => bench().tenant()));
    await Promise.all(tenants.map((tenant, i) => accept(tenant, ...texts(`text ${i}`))));
    const claimer = createClaimer(bench().database);
    const outcomes = await Promise.all(
      tenants.map(({ holder }, i) =>
        claimer.submit(
          request({ ...holder, epoch: i === 2 ? 9n : holder.epoch }, { priority: i === 4 ? 0 : 1, most: 1 + (i % 3) }),
        ),
      ),
    );
    expect(outcomes.map(textOf)).toEqual(['text 0', 'text 1', 'lease-lost', 'text 3', 'nothing', 'text 5']);
  });
});
