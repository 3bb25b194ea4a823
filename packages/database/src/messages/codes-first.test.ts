/** One-time codes that go before a message in `sending`, and the status of that message. */
import type { MessageId } from '@kurir/contracts';
import { describe, expect, test } from 'vitest';
import { present, type Tenant, type TestInput, textIn, useDatabaseFixture } from '../../test/database-fixture.js';
import type { ClaimOutcome } from './claim-message.js';
import { wakeMessages } from './sweep-messages.js';
import { moveMessages } from './write-status.js';

const fixture = useDatabaseFixture();

const [alice, bob] = ['6281200000001', '6281200000002'];
const code = (text: string, recipient = alice): TestInput => ({ priority: 'otp', text, recipient });

const textOf = (outcome: ClaimOutcome) => (outcome.kind === 'claimed' ? textIn(outcome.message.content) : outcome.kind);
const sent = (id: MessageId) => moveMessages(fixture().database.pool, [{ id, to: 'sent' }]);

/** Makes a message that the driver had and that has no answer. Then accepts the other messages. */
async function standing(tenant: Tenant, input: TestInput, ...later: TestInput[]) {
  const [message] = await fixture().accept(tenant, [input]);
  expect(await fixture().claim(tenant.holder)).toMatchObject({ kind: 'claimed', message: { attempts: 1 } });
  const accepted = await fixture().accept(tenant, later);
  const id = present(message).messageId;
  return { id, lastTry: `${id}#1`, later: accepted.map(({ messageId }) => messageId) };
}

/** Claims until nothing is left, and marks each message as sent. */
async function drain({ holder }: Tenant): Promise<string[]> {
  const texts: string[] = [];
  for (;;) {
    const outcome = await fixture().claim(holder);
    if (outcome.kind !== 'claimed') return texts;
    texts.push(textIn(outcome.message.content));
    await sent(outcome.message.id);
  }
}

describe('a standing message that is not a code', () => {
  test.each(['normal', 'bulk'] as const)('returns to the queue while a code goes first: %s', async (priority) => {
    const tenant = await fixture().tenant();
    const { id, lastTry, later } = await standing(
      tenant,
      { priority, text: 'standing', recipient: alice },
      code('code'),
    );
    const outcome = await fixture().claim(tenant.holder, { lastTry });
    expect(outcome).toMatchObject({ kind: 'claimed', message: { id: later[0], attempts: 1 } });
    expect(await fixture().state(id)).toMatchObject({
      status: 'queued',
      reason: 'no_answer',
      attempts: 1,
      unanswered: 1,
      held: false,
    });
    expect(await fixture().events(id)).toEqual(['sending', 'queued']);
    await sent(present(later[0]));
    expect(await fixture().claim(tenant.holder)).toMatchObject({ kind: 'claimed', message: { id, attempts: 2 } });
    expect(await fixture().state(id)).toMatchObject({ status: 'sending', reason: null, unanswered: 1 });
    expect(await fixture().events(id)).toEqual(['sending', 'queued', 'sending']);
  });

  test('goes before later messages of its lane when it returns', async () => {
    const tenant = await fixture().tenant();
    const { lastTry } = await standing(tenant, { text: 'first' }, { text: 'second' }, code('code'));
    const outcome = await fixture().claim(tenant.holder, { lastTry });
    expect(textOf(outcome)).toBe('code');
    if (outcome.kind === 'claimed') await sent(outcome.message.id);
    expect(await drain(tenant)).toEqual(['first', 'second']);
  });

  test('of another epoch is tried again before a code, because only a try stores its recipient as a contact', async () => {
    const tenant = await fixture().tenant();
    const { id } = await standing(tenant, { text: 'standing' }, code('code'));
    const next = await fixture().handOver(tenant.holder);
    expect(textOf(await fixture().claim(next))).toBe('standing');
    expect(await fixture().state(id)).toMatchObject({ status: 'sending', attempts: 2, unanswered: 1 });
    expect(textOf(await fixture().claim(next, { lastTry: `${id}#2` }))).toBe('code');
    expect(await fixture().state(id)).toMatchObject({ status: 'queued', attempts: 2, unanswered: 2 });
  });

  test('that the driver never had continues before any code', async () => {
    const tenant = await fixture().tenant();
    await standing(tenant, { text: 'standing' }, code('code'));
    expect(textOf(await fixture().claim(tenant.holder))).toBe('standing');
  });

  test.each([
    ['scheduled', `waits_until = now() + interval '1 hour'`],
    ['expired', `expires_at = now() - interval '1 s'`],
  ])('is tried again where the code is not due: %s', async (_what, change) => {
    const tenant = await fixture().tenant();
    const { lastTry, later } = await standing(tenant, { text: 'standing' }, code('code'));
    await fixture().change(later, change);
    expect(textOf(await fixture().claim(tenant.holder, { lastTry }))).toBe('standing');
  });

  test('is exhausted after its third try without an answer, and does not return to the queue', async () => {
    const tenant = await fixture().tenant();
    const { id, lastTry } = await standing(tenant, {}, code('code'));
    await fixture().change(id, 'unanswered = 2');
    expect(textOf(await fixture().claim(tenant.holder, { lastTry }))).toBe('exhausted');
    expect(await fixture().state(id)).toMatchObject({ status: 'sending', unanswered: 2 });
  });

  test('that returned to the queue cannot be cancelled, and a late acknowledgement still counts', async () => {
    const tenant = await fixture().tenant();
    const { id, lastTry } = await standing(tenant, {}, code('code'));
    await fixture().claim(tenant.holder, { lastTry });
    expect(await moveMessages(fixture().database.pool, [{ id, to: 'cancelled' }])).toEqual([]);
    await sent(id);
    expect(await fixture().state(id)).toMatchObject({ status: 'sent', reason: null });
  });
});

describe('a standing code', () => {
  test('lets a code to another recipient go first, and waits a second', async () => {
    const tenant = await fixture().tenant();
    const { id, lastTry } = await standing(tenant, code('standing'), code('to bob', bob));
    expect(textOf(await fixture().claim(tenant.holder, { lastTry }))).toBe('to bob');
    expect(await fixture().state(id)).toMatchObject({
      status: 'queued',
      reason: 'no_answer',
      unanswered: 1,
      held: true,
    });
    const [row] = await fixture().query<{ held: number; waits: number }>(
      `SELECT (extract(epoch FROM held_until - now()) * 1000)::float8 AS held,
              (extract(epoch FROM waits_until - now()) * 1000)::float8 AS waits FROM messages WHERE id = $1`,
      [id],
    );
    for (const ms of [row?.held, row?.waits]) {
      expect(ms).toBeGreaterThan(0);
      expect(ms).toBeLessThanOrEqual(1_000);
    }
  });

  test('that waits lets codes to others pass, but not later ones to its recipient', async () => {
    const tenant = await fixture().tenant();
    const { id, lastTry, later } = await standing(
      tenant,
      code('standing'),
      code('to bob', bob),
      code('behind'),
      code('to bob again', bob),
      { text: 'no code', recipient: alice },
    );
    expect(textOf(await fixture().claim(tenant.holder, { lastTry }))).toBe('to bob');
    await sent(present(later[0]));
    expect(await drain(tenant)).toEqual(['to bob again', 'no code']);
    await fixture().change(id, `held_until = now() - interval '1 s', waits_until = now() - interval '1 s'`);
    await wakeMessages(fixture().database);
    expect(await drain(tenant)).toEqual(['standing', 'behind']);
  });

  test('goes before a later code to its own recipient', async () => {
    const tenant = await fixture().tenant();
    const { id, lastTry } = await standing(tenant, code('standing'), code('later'));
    const outcome = await fixture().claim(tenant.holder, { lastTry });
    expect(outcome).toMatchObject({ kind: 'claimed', message: { id, attempts: 2 } });
  });

  test('lets an earlier code to its own recipient go first after that code had to wait', async () => {
    const tenant = await fixture().tenant();
    const [earlier] = await fixture().accept(tenant, [code('earlier')]);
    // A refusal that blocks no other message leaves it like this.
    await fixture().change(earlier?.messageId, `waits_until = now() + interval '1 hour'`);
    const { lastTry } = await standing(tenant, code('standing'));
    await fixture().change(earlier?.messageId, 'waits_until = NULL');
    expect(textOf(await fixture().claim(tenant.holder, { lastTry }))).toBe('earlier');
  });

  test('does not let other messages go first', async () => {
    const tenant = await fixture().tenant();
    const { lastTry } = await standing(
      tenant,
      code('standing'),
      { recipient: bob },
      { recipient: bob, priority: 'bulk' },
    );
    expect(textOf(await fixture().claim(tenant.holder, { lastTry }))).toBe('standing');
  });
});
