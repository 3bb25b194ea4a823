/** Claims that find a message in `sending`, and the time at which it is given up. */
import type { MessageId } from '@kurir/contracts';
import { describe, expect, test } from 'vitest';
import { present, type Tenant, type TestInput, useDatabaseFixture } from '../../test/database-fixture.js';
import type { LeaseToken } from '../sessions/lease-token.js';
import { type ClaimedMessage, type ClaimOutcome, type StandingMessage, tryName } from './claim-message.js';
import { giveUp } from './report-outcome.js';
import { moveMessages } from './write-status.js';

const fixture = useDatabaseFixture();

function claimed(outcome: ClaimOutcome): ClaimedMessage {
  if (outcome.kind !== 'claimed') throw new Error(`nothing was claimed: ${outcome.kind}`);
  return outcome.message;
}

function exhausted(outcome: ClaimOutcome): StandingMessage {
  if (outcome.kind !== 'exhausted') throw new Error(`it is not exhausted: ${outcome.kind}`);
  return outcome.message;
}

/** A claimed message; `name` is that of its try. */
async function standing(tenant: Tenant, input: TestInput = {}) {
  await fixture().accept(tenant, [input]);
  const message = claimed(await fixture().claim(tenant.holder));
  return { ...message, name: tryName(message) };
}

/** Claims after the driver had that try. */
const claimAfter = (holder: LeaseToken, lastTry: string) => fixture().claim(holder, { lastTry });

const late = (id: MessageId) => fixture().change(id, `expires_at = now() - interval '1 s'`);

describe('a standing message', () => {
  test('that the driver never had under this epoch continues with the same try', async () => {
    const tenant = await fixture().tenant();
    const before = await standing(tenant);
    const { name, ...message } = before;
    for (const lastTry of ['', `${message.id}#0`, 'msg_another#1'])
      expect(claimed(await claimAfter(tenant.holder, lastTry))).toEqual(message);
    expect(await fixture().state(message.id)).toMatchObject({ status: 'sending', attempts: 1, unanswered: 0 });
    expect(await fixture().events(message.id)).toEqual(['sending']);
    expect(claimed(await claimAfter(tenant.holder, name)).attempts).toBe(2);
  });

  test('that the driver had is claimed for its next try, under its old id, with one more try without an answer', async () => {
    const tenant = await fixture().tenant();
    const { name, ...message } = await standing(tenant);
    expect(claimed(await claimAfter(tenant.holder, name))).toEqual({ ...message, attempts: 2 });
    expect(await fixture().state(message.id)).toMatchObject({ status: 'sending', attempts: 2, unanswered: 1 });
    expect(await fixture().events(message.id)).toEqual(['sending']);
  });

  test('of another epoch gets another try in any case, and then belongs to the new epoch', async () => {
    const tenant = await fixture().tenant();
    const { id } = await standing(tenant);
    const next = await fixture().handOver(tenant.holder);
    const second = claimed(await claimAfter(next, ''));
    expect(second).toMatchObject({ id, attempts: 2 });
    expect(await fixture().state(id)).toMatchObject({ status: 'sending', unanswered: 1, epoch: 2n });
    expect(claimed(await claimAfter(next, ''))).toEqual(second);
    expect(await fixture().state(id)).toMatchObject({ attempts: 2, unanswered: 1 });
  });

  test('goes before all waiting messages but codes, and does not wait for the pace', async () => {
    const tenant = await fixture().tenant();
    const { id, name } = await standing(tenant, { priority: 'bulk' });
    await fixture().accept(tenant, [{}, { priority: 'bulk' }]);
    await fixture().query(`INSERT INTO device_pace VALUES ($1, now() + interval '1 minute')`, [tenant.deviceId]);
    expect(claimed(await claimAfter(tenant.holder, name)).id).toBe(id);
  });

  test('that several claims find at once has only one more try; some of them are busy', async () => {
    const tenant = await fixture().tenant();
    const { id } = await standing(tenant);
    const next = await fixture().handOver(tenant.holder);
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => claimAfter(next, '')));
    const tries = outcomes.map((outcome) => (outcome.kind === 'claimed' ? outcome.message.attempts : outcome.kind));
    expect(tries).toContain(2);
    expect(tries.filter((attempts) => attempts !== 2 && attempts !== 'busy')).toEqual([]);
    expect(await fixture().state(id)).toMatchObject({ status: 'sending', attempts: 2, unanswered: 1 });
  });

  test('that was answered in the meantime is neither tried again nor given up', async () => {
    const tenant = await fixture().tenant();
    const { id, name, networkMessageId, attempts } = await standing(tenant);
    await fixture().change(id, 'unanswered = 2');
    await moveMessages(fixture().database.pool, [{ id, to: 'sent' }]);
    expect(await claimAfter(tenant.holder, name)).toEqual({ kind: 'nothing' });
    const asRead = { id, networkMessageId, attempts, epoch: tenant.holder.epoch, untried: false };
    expect(await giveUp(fixture().database, tenant.holder, asRead)).toBe(false);
    expect(await fixture().state(id)).toMatchObject({ status: 'sent' });
  });
});

describe('an exhausted message', () => {
  test('has had three tries without an answer, not fewer, and becomes unknown when it is given up', async () => {
    const tenant = await fixture().tenant();
    const { id, name: first } = await standing(tenant);
    let name = first;
    for (const attempts of [2, 3]) {
      const message = claimed(await claimAfter(tenant.holder, name));
      expect(message.attempts).toBe(attempts);
      name = tryName(message);
    }
    const message = exhausted(await claimAfter(tenant.holder, name));
    expect(message).toMatchObject({ id, attempts: 3, epoch: 1n, networkMessageId: expect.any(String) });
    expect(await fixture().state(id)).toMatchObject({ status: 'sending', unanswered: 2, attempts: 3 });
    expect(await giveUp(fixture().database, tenant.holder, message)).toBe(true);
    expect(await fixture().state(id)).toMatchObject({
      status: 'unknown',
      reason: 'no_answer',
      unanswered: 3,
      attempts: 3,
    });
    expect(await fixture().events(id)).toEqual(['sending', 'unknown']);
    expect(await fixture().taken(tenant.accountId)).toEqual([1]);
    expect(await giveUp(fixture().database, tenant.holder, message)).toBe(false);
  });

  test('counts its three tries over all owners', async () => {
    const tenant = await fixture().tenant();
    const { id } = await standing(tenant);
    let { holder } = tenant;
    for (const attempts of [2, 3]) {
      holder = await fixture().handOver(holder);
      expect(claimed(await claimAfter(holder, '')).attempts).toBe(attempts);
    }
    holder = await fixture().handOver(holder);
    const message = exhausted(await claimAfter(holder, ''));
    expect(message).toMatchObject({ id, attempts: 3, epoch: 3n });
    expect(await giveUp(fixture().database, holder, message)).toBe(true);
  });

  test('whose third try was never given to the driver continues first', async () => {
    const tenant = await fixture().tenant();
    const { id } = await standing(tenant);
    await fixture().change(id, 'attempts = 3, unanswered = 2');
    expect(claimed(await claimAfter(tenant.holder, `${id}#2`))).toMatchObject({ id, attempts: 3 });
    expect(exhausted(await claimAfter(tenant.holder, `${id}#3`)).id).toBe(id);
  });

  test('may also have expired without an answer: it becomes unknown, never expired, and is not tried again', async () => {
    const tenant = await fixture().tenant();
    const { id, name } = await standing(tenant, { priority: 'otp' });
    await late(id);
    const message = exhausted(await claimAfter(tenant.holder, name));
    expect(await giveUp(fixture().database, tenant.holder, message)).toBe(true);
    expect(await fixture().state(id)).toMatchObject({ status: 'unknown', reason: 'no_answer', unanswered: 1 });
    expect(await fixture().events(id)).toEqual(['sending', 'unknown']);
  });

  test('is not one that expired before the driver had its try: that one is claimed without time left', async () => {
    const tenant = await fixture().tenant();
    const { id } = await standing(tenant, { ttlSeconds: 30 });
    await late(id);
    const message = claimed(await claimAfter(tenant.holder, ''));
    expect(message.id).toBe(id);
    expect(message.expiresInMs).toBeLessThan(0);
  });

  test('holds all messages of its device until it is given up, also codes', async () => {
    const tenant = await fixture().tenant();
    const { id, name } = await standing(tenant);
    await fixture().change(id, 'unanswered = 2');
    const [code] = await fixture().accept(tenant, [{ priority: 'otp' }]);
    const message = exhausted(await claimAfter(tenant.holder, name));
    await giveUp(fixture().database, tenant.holder, message);
    expect(claimed(await claimAfter(tenant.holder, name)).id).toBe(code?.messageId);
  });

  test('is given up only in the state that was read, and only by the holder of the lease', async () => {
    const tenant = await fixture().tenant();
    const { database } = fixture();
    const { id, networkMessageId, attempts } = await standing(tenant);
    const asRead: StandingMessage = { id, networkMessageId, attempts, epoch: tenant.holder.epoch, untried: false };
    expect(await giveUp(database, tenant.holder, asRead)).toBe(false);
    await fixture().change(id, 'unanswered = 2');
    expect(await giveUp(database, tenant.holder, { ...asRead, attempts: 2 })).toBe(false);
    expect(await giveUp(database, tenant.holder, { ...asRead, epoch: 0n })).toBe(false);
    const next = await fixture().handOver(tenant.holder);
    expect(await giveUp(database, tenant.holder, asRead)).toBe(false);
    expect(await giveUp(database, next, asRead)).toBe(true);
    expect(present(await fixture().state(id))).toMatchObject({ status: 'unknown' });
  });
});
