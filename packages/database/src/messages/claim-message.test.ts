/** Claims of a lane in which no message is `sending`. */
import { type MessageId, textContent } from '@kurir/contracts';
import { waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  copies,
  present,
  type Tenant,
  type TestInput,
  textIn,
  useDatabaseFixture,
} from '../../test/database-fixture.js';
import { type Database, openDatabase } from '../postgres/connect.js';
import type { LeaseToken } from '../sessions/lease-token.js';
import { takeLeases } from '../sessions/leases.js';
import { cancelMessage } from './cancel-messages.js';
import { type ClaimOutcome, createClaimer } from './claim-message.js';
import { networkMessageIdOf } from './network-message-id.js';
import { wakeMessages } from './sweep-messages.js';
import { moveMessages } from './write-status.js';

const fixture = useDatabaseFixture();

/** The database of another worker process. */
let other: Database;
beforeAll(() => {
  other = openDatabase({ url: fixture().url, poolSize: 3 });
});
afterAll(() => other.close());

const claim = (holder: LeaseToken) => fixture().claim(holder);
const fresh = (holder: LeaseToken) => ({ ...holder, lastTry: '' });
const textOf = (outcome: ClaimOutcome) => (outcome.kind === 'claimed' ? textIn(outcome.message.content) : outcome.kind);

async function accept(tenant: Tenant, ...inputs: TestInput[]): Promise<MessageId[]> {
  return (await fixture().accept(tenant, inputs)).map((message) => message.messageId);
}

async function acceptOne(tenant: Tenant, input: TestInput = {}): Promise<MessageId> {
  return present((await accept(tenant, input))[0]);
}

const sent = (id: MessageId) => moveMessages(fixture().database.pool, [{ id, to: 'sent' }]);

/** Claims all that may go now, in order, and marks each as sent at once. */
async function drain({ holder }: Pick<Tenant, 'holder'>): Promise<string[]> {
  const texts: string[] = [];
  for (;;) {
    const outcome = await claim(holder);
    if (outcome.kind !== 'claimed') return texts;
    texts.push(textIn(outcome.message.content));
    await sent(outcome.message.id);
  }
}

/** The columns of a message that must wait this long after a refusal. */
const held = (interval: string) =>
  ['held_until', 'waits_until'].map((column) => `${column} = now() + interval '${interval}'`).join();

const texts = (...all: string[]): TestInput[] => all.map((text) => ({ text }));

describe('a claim', () => {
  test('takes the oldest message, which then is sending in its first try', async () => {
    const tenant = await fixture().tenant();
    const [first] = await accept(tenant, ...texts('a', 'b'));
    const id = present(first);
    expect(await claim(tenant.holder)).toEqual({
      kind: 'claimed',
      message: {
        id,
        requestId: expect.stringMatching(/^req_/),
        traceparent: null,
        networkMessageId: networkMessageIdOf('simulator', id),
        recipient: '6281234567890',
        content: textContent('a'),
        priority: 1,
        attempts: 1,
        expiresInMs: null,
      },
    });
    expect(await fixture().state(id)).toMatchObject({ status: 'sending', attempts: 1, unanswered: 0, epoch: 1n });
    expect(await fixture().events(id)).toEqual(['sending']);
    await sent(id);
    expect(textOf(await claim(tenant.holder))).toBe('b');
  });

  test('of an empty lane returns nothing', async () => {
    const tenant = await fixture().tenant();
    expect(await claim(tenant.holder)).toEqual({ kind: 'nothing' });
  });

  test('takes urgent messages first, and keeps the order of acceptance within a priority', async () => {
    const tenant = await fixture().tenant();
    const order = ['bulk', 'otp', 'normal', 'otp', 'bulk', 'normal'] as const;
    await accept(tenant, ...order.map((priority, i) => ({ priority, text: `${priority} ${i}` })));
    expect(await drain(tenant)).toEqual(['otp 1', 'otp 3', 'normal 2', 'normal 5', 'bulk 0', 'bulk 4']);
  });

  test('takes no message of another device', async () => {
    const tenant = await fixture().tenant();
    await acceptOne(tenant);
    expect(await claim(await fixture().device(tenant.accountId))).toEqual({ kind: 'nothing' });
  });

  test('leaves a scheduled message until its time, even if later ones go first', async () => {
    const tenant = await fixture().tenant();
    const sendAt = new Date(Date.now() + 3_600_000);
    const [scheduled] = await accept(tenant, { text: 'later', sendAt }, { text: 'now' });
    expect(await drain(tenant)).toEqual(['now']);
    await fixture().change(scheduled, `send_at = now() - interval '1 s', waits_until = now() - interval '1 s'`);
    expect(await drain(tenant)).toEqual([]);
    expect(await wakeMessages(fixture().database)).toContain(tenant.deviceId);
    expect(await drain(tenant)).toEqual(['later']);
  });

  test('never takes an expired message, before or after the sweep', async () => {
    const tenant = await fixture().tenant();
    const [late] = await accept(tenant, { text: 'late', priority: 'otp' }, { text: 'in time', priority: 'otp' });
    await fixture().change(late, `expires_at = now() - interval '1 s'`);
    expect(await drain(tenant)).toEqual(['in time']);
    expect(await fixture().state(present(late))).toMatchObject({ status: 'queued', attempts: 0 });
  });

  test('returns the time that is left for the message, and so does the next try', async () => {
    const tenant = await fixture().tenant();
    await accept(tenant, { text: 'short', ttlSeconds: 30 });
    const expiresIn = (outcome: ClaimOutcome) =>
      outcome.kind === 'claimed' ? (outcome.message.expiresInMs ?? Number.NaN) : Number.NaN;
    const first = expiresIn(await claim(tenant.holder));
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThanOrEqual(30_000);
    const next = expiresIn(await claim(tenant.holder));
    expect(next).toBeGreaterThan(0);
    expect(next).toBeLessThanOrEqual(first);
  });

  test('leaves a waiting message and later ones to its recipient, and takes others and more urgent ones', async () => {
    const tenant = await fixture().tenant();
    const [a, b] = ['6281234567890', '6281234567891'];
    const [, refused] = await accept(
      tenant,
      { text: 'a before', recipient: a },
      { text: 'a held', recipient: a },
      { text: 'b', recipient: b },
      { text: 'a behind', recipient: a },
      { text: 'a otp', recipient: a, priority: 'otp' },
    );
    await fixture().change(refused, held('1 hour'));
    expect(await drain(tenant)).toEqual(['a otp', 'a before', 'b']);
    await fixture().change(refused, held('-1 second'));
    await wakeMessages(fixture().database);
    expect(await drain(tenant)).toEqual(['a held', 'a behind']);
  });

  test('is not stopped by a waiting message to the same recipient on another device', async () => {
    const tenant = await fixture().tenant();
    const holder = await fixture().device(tenant.accountId);
    await fixture().change(await acceptOne(tenant), held('1 hour'));
    await accept({ ...tenant, holder, deviceId: holder.deviceId }, { text: 'free' });
    expect(await drain({ holder })).toEqual(['free']);
  });
});

describe('a claim without the lease', () => {
  test.each<[string, (holder: LeaseToken) => LeaseToken]>([
    ['of an earlier epoch', (holder) => ({ ...holder, epoch: holder.epoch - 1n })],
    ['of an epoch that is still to come', (holder) => ({ ...holder, epoch: holder.epoch + 1n })],
    ['of another worker', (holder) => ({ ...holder, owner: 'wrk_other' })],
  ])('%s takes nothing and returns that', async (_what, change) => {
    const tenant = await fixture().tenant();
    const id = await acceptOne(tenant);
    expect(await claim(change(tenant.holder))).toEqual({ kind: 'lease-lost' });
    expect(await fixture().state(id)).toMatchObject({ status: 'queued', attempts: 0 });
  });

  const endLease = ({ deviceId }: Tenant) =>
    fixture().query(`UPDATE device_leases SET expires_at = now() - interval '1 s' WHERE device_id = $1`, [deviceId]);

  test('returns that the lease has ended, even if a message is sending', async () => {
    const tenant = await fixture().tenant();
    await accept(tenant, {}, {});
    expect(await claim(tenant.holder)).toMatchObject({ kind: 'claimed' });
    await endLease(tenant);
    expect(await claim(tenant.holder)).toEqual({ kind: 'lease-lost' });
  });

  test('cannot come from an owner that began it while its lease was live', async () => {
    const tenant = await fixture().tenant();
    const id = await acceptOne(tenant);
    const blocker = await fixture().database.pool.connect();
    await blocker.query('BEGIN');
    await blocker.query('SELECT 1 FROM messages WHERE id = $1 FOR UPDATE', [id]);
    const slow = claim(tenant.holder);
    await waitUntil(() => fixture().waitsForLock(), { what: 'the claim waits for the message' });
    await endLease(tenant);
    const taken = (await takeLeases(fixture().database, 'wrk_next', 0, 100, 100)).map((lease) => lease.deviceId);
    await blocker.query('COMMIT');
    blocker.release();
    const claimed = (await slow).kind === 'claimed';
    // If the claim was first, the next owner finds it. If the other worker took the lease first, the claim fails.
    expect(claimed && taken.includes(tenant.deviceId)).toBe(false);
  });
});

describe('several claims at once', () => {
  test('exactly one of a claim and a cancellation at the same time wins', async () => {
    const tenant = await fixture().tenant();
    let cancelled = 0;
    for (let round = 0; round < 200; round++) {
      const id = await acceptOne(tenant);
      const [cancel, claimed] = await Promise.all([
        cancelMessage(other, tenant.accountId, id),
        round % 3 === 0 ? other.pool.query('SELECT 1').then(() => claim(tenant.holder)) : claim(tenant.holder),
      ]);
      expect([cancel, claimed.kind]).toEqual(
        cancel === 'cancelled' ? ['cancelled', expect.stringMatching(/nothing|busy/)] : ['not-cancellable', 'claimed'],
      );
      if (cancel === 'cancelled') cancelled++;
      else await sent(id);
    }
    expect(await fixture().taken(tenant.accountId)).toEqual([200 - cancelled]);
  }, 60_000);

  test('two claimers of one lane lose no message and leave none', async () => {
    const tenant = await fixture().tenant();
    const ids = await accept(tenant, ...copies(60));
    const claimed = new Set<MessageId>();
    const drainWith = async (database: Database) => {
      const claimer = createClaimer(database, fixture().accountKeys);
      for (;;) {
        const outcome = await claimer.submit(fresh(tenant.holder));
        if (outcome.kind === 'nothing') return;
        if (outcome.kind !== 'claimed') continue;
        claimed.add(outcome.message.id);
        await sent(outcome.message.id);
      }
    };
    await Promise.all([drainWith(fixture().database), drainWith(other)]);
    expect(claimed).toEqual(new Set(ids));
    const states = await Promise.all(ids.map((id) => fixture().state(id)));
    expect(new Set(states.map(({ status }) => status))).toEqual(new Set(['sent']));
  });

  test('claims of many lanes share a statement, and each has its own outcome', async () => {
    const tenants = await Promise.all(Array.from({ length: 7 }, () => fixture().tenant()));
    const ids = await Promise.all(tenants.map((tenant, i) => accept(tenant, ...(i === 4 ? [] : texts(`text ${i}`)))));
    const [lost, paced, standing] = [tenants[2]?.holder, tenants[5]?.deviceId, ids[6]?.[0]];
    await fixture().query(`INSERT INTO device_pace VALUES ($1, now() + interval '1 minute')`, [paced]);
    await fixture().change(standing, `status = 'sending', attempts = 3, unanswered = 2, epoch = 0`);
    const claimer = createClaimer(fixture().database, fixture().accountKeys);
    const outcomes = await Promise.all(
      tenants.map(({ holder }) => claimer.submit(fresh(holder === lost ? { ...holder, epoch: 9n } : holder))),
    );
    expect(outcomes.map(textOf)).toEqual(['text 0', 'text 1', 'lease-lost', 'text 3', 'nothing', 'waits', 'exhausted']);
  });
});
