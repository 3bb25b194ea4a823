/** The outcomes of two statements that meet on the same message or device, on two connections. */
import type { MessageId } from '@kurir/contracts';
import { describe, expect, test } from 'vitest';
import { useCrossing, type Work } from '../../test/crossing-fixture.js';
import { present, type Tenant, type TestInput, useDatabaseFixture } from '../../test/database-fixture.js';
import { blocked, inAnHour } from '../../test/new-contacts-fixture.js';
import { writeAccountLimits } from '../sessions/device-session.js';
import { takeLeases } from '../sessions/leases.js';
import { cancelMessage } from './cancel-messages.js';
import { createClaimer } from './claim-message.js';
import { createOutcomeWriter, giveUp, type TryOutcome } from './report-outcome.js';
import { expireMessages, failUnlinkedMessages, wakeMessages } from './sweep-messages.js';

const fixture = useDatabaseFixture();
const cross = useCrossing(fixture);

async function accept(tenant: Tenant, ...inputs: TestInput[]): Promise<MessageId[]> {
  return (await fixture().accept(tenant, inputs)).map(({ messageId }) => messageId);
}

const claim =
  ({ holder }: Tenant, lastTry = '') =>
  (database: Parameters<Work<unknown>>[0]) =>
    createClaimer(database, fixture().accountKeys).submit({ ...holder, lastTry });

const cancel =
  ({ accountId }: Tenant, id: MessageId): Work<string> =>
  (database) =>
    cancelMessage(database, accountId, id);

const answer =
  ({ holder }: Tenant, id: MessageId, outcome: TryOutcome): Work<boolean> =>
  (database) =>
    createOutcomeWriter(database).answered({ id, attempts: 1 }, holder.epoch, outcome);

const notNow = { kind: 'not-sent', permanent: false, reason: 'rate_limited_by_network', retryAfterMs: 60_000 } as const;
const sent = { kind: 'sent' } as const;

const isClaimed = (id: MessageId | undefined, attempts = 1) => ({ kind: 'claimed', message: { id, attempts } });

/** A message that the driver has, and the name of its try. */
async function sending(tenant: Tenant): Promise<{ id: MessageId; name: string }> {
  const { id } = present((await fixture().sending(tenant))[0]);
  return { id, name: `${id}#1` };
}

describe('a claim that waits', () => {
  test('for a cancellation is busy, and the next one takes the message after that', async () => {
    const tenant = await fixture().tenant();
    const [first, second] = await accept(tenant, {}, {});
    const crossed = await cross(cancel(tenant, present(first)), claim(tenant));
    expect(crossed).toEqual({ first: 'cancelled', second: { kind: 'busy' }, waited: true });
    expect(await fixture().claim(tenant.holder)).toMatchObject(isClaimed(second));
  });

  test('for an expiry is busy, and nothing is sent too late', async () => {
    const tenant = await fixture().tenant();
    const [id] = await accept(tenant, {});
    const crossed = await cross(async (database) => {
      await database.pool.query(`UPDATE messages SET expires_at = now() - interval '1 s' WHERE id = $1`, [id]);
      return expireMessages(database);
    }, claim(tenant));
    expect(crossed).toEqual({ first: [expect.objectContaining({ id })], second: { kind: 'busy' }, waited: true });
    expect(await fixture().taken(tenant.accountId)).toEqual([0]);
  });

  test('for an acknowledgement is busy: the message has no second try', async () => {
    const tenant = await fixture().tenant();
    const { id, name } = await sending(tenant);
    const crossed = await cross(answer(tenant, id, sent), claim(tenant, name));
    expect(crossed).toEqual({ first: true, second: { kind: 'busy' }, waited: true });
    expect(await fixture().state(id)).toMatchObject({ status: 'sent', attempts: 1 });
  });

  test('for a refusal is busy, and the refused message then blocks later ones to its recipient', async () => {
    const tenant = await fixture().tenant();
    const { id, name } = await sending(tenant);
    await accept(tenant, {});
    const crossed = await cross(answer(tenant, id, notNow), claim(tenant, name));
    expect(crossed).toEqual({ first: true, second: { kind: 'busy' }, waited: true });
    expect(await fixture().state(id)).toMatchObject({ status: 'queued', attempts: 1, unanswered: 0, held: true });
    expect(await fixture().claim(tenant.holder)).toEqual({ kind: 'nothing' });
  });

  test('for another claim of the same message is busy', async () => {
    const tenant = await fixture().tenant();
    const [id] = await accept(tenant, {}, {});
    const crossed = await cross(claim(tenant), claim(tenant));
    expect(crossed).toMatchObject({ first: isClaimed(id), second: { kind: 'busy' }, waited: true });
  });

  test('for the next try of the same message is busy', async () => {
    const tenant = await fixture().tenant();
    const { id, name } = await sending(tenant);
    const crossed = await cross(claim(tenant, name), claim(tenant, name));
    expect(crossed).toMatchObject({ first: isClaimed(id, 2), second: { kind: 'busy' }, waited: true });
    expect(await fixture().state(id)).toMatchObject({ attempts: 2, unanswered: 1 });
  });

  test('with a code, for the acknowledgement of the message before it, is busy, and no message moves back', async () => {
    const tenant = await fixture().tenant();
    const { id, name } = await sending(tenant);
    const [code] = await accept(tenant, { priority: 'otp' });
    const crossed = await cross(answer(tenant, id, sent), claim(tenant, name));
    expect(crossed).toEqual({ first: true, second: { kind: 'busy' }, waited: true });
    expect(await fixture().events(id)).toEqual(['sent']);
    expect(await fixture().claim(tenant.holder, { lastTry: name })).toMatchObject(isClaimed(code));
  });

  test('with a code, for the cancellation of that code, is busy, and the message before it goes on', async () => {
    const tenant = await fixture().tenant();
    const { id, name } = await sending(tenant);
    const [code] = await accept(tenant, { priority: 'otp' });
    const crossed = await cross(cancel(tenant, present(code)), claim(tenant, name));
    expect(crossed).toEqual({ first: 'cancelled', second: { kind: 'busy' }, waited: true });
    expect(await fixture().events(id)).toEqual([]);
    const next = await fixture().claim(tenant.holder, { lastTry: name });
    expect(next).toMatchObject(isClaimed(id, 2));
    expect(await fixture().state(id)).toMatchObject({ status: 'sending', unanswered: 1 });
  });

  test('for another worker that takes the lease has lost it', async () => {
    const tenant = await fixture().tenant();
    await accept(tenant, {});
    const crossed = await cross(async (database) => {
      await database.pool.query(`UPDATE device_leases SET expires_at = now() - interval '1 s' WHERE device_id = $1`, [
        tenant.deviceId,
      ]);
      return takeLeases(database, 'wrk_next', 0, 1_000, 1_000);
    }, claim(tenant));
    expect(crossed.first).toEqual([{ deviceId: tenant.deviceId, epoch: 2n }]);
    expect(crossed).toMatchObject({ second: { kind: 'lease-lost' }, waited: true });
  });
});

describe('while a claim is being committed', () => {
  test('a cancellation waits and comes too late', async () => {
    const tenant = await fixture().tenant();
    const [id] = await accept(tenant, {});
    const crossed = await cross(claim(tenant), cancel(tenant, present(id)));
    expect(crossed).toMatchObject({ first: isClaimed(id), second: 'not-cancellable', waited: true });
    expect(await fixture().taken(tenant.accountId)).toEqual([1]);
  });

  test('a cancellation of the message that the claim moves back comes too late', async () => {
    const tenant = await fixture().tenant();
    const { id, name } = await sending(tenant);
    const [code] = await accept(tenant, { priority: 'otp' });
    const crossed = await cross(claim(tenant, name), cancel(tenant, id));
    expect(crossed).toMatchObject({ first: isClaimed(code), second: 'not-cancellable' });
    expect(await fixture().state(id)).toMatchObject({ status: 'queued', unanswered: 1 });
  });

  test.each<[string, TryOutcome, boolean, string]>([
    ['refusal', notNow, false, 'sending'],
    ['permanent refusal', { kind: 'not-sent', permanent: true, reason: 'rejected_by_network' }, false, 'sending'],
    ['acknowledgement', sent, true, 'sent'],
  ])(
    'of a next try, a late answer to the try before counts if it is an acknowledgement: %s',
    async (_what, outcome, counts, status) => {
      const tenant = await fixture().tenant();
      const { id, name } = await sending(tenant);
      const crossed = await cross(claim(tenant, name), answer(tenant, id, outcome));
      expect(crossed).toMatchObject({ first: isClaimed(id, 2), second: counts, waited: true });
      expect(await fixture().state(id)).toMatchObject({ status, attempts: 2 });
    },
  );

  test('the sweeps do not wait: nothing expires, nothing fails, and the lease is not taken', async () => {
    const tenant = await fixture().tenant();
    const [id] = await accept(tenant, {});
    const late = () =>
      fixture().query(`UPDATE device_leases SET expires_at = now() - interval '1 s' WHERE device_id = $1`, [
        tenant.deviceId,
      ]);
    const crossed = await cross(claim(tenant), async (database) => {
      await late();
      await fixture().query('UPDATE devices SET linked = false WHERE id = $1', [tenant.deviceId]);
      return [
        await expireMessages(database),
        await failUnlinkedMessages(database),
        await takeLeases(database, 'wrk_next', 0, 1_000, 1_000),
      ];
    });
    expect(crossed).toMatchObject({ first: isClaimed(id), second: [[], 0, []], waited: false });
  });
});

describe('a message that two statements end at once', () => {
  test('is refunded once, by the first of them', async () => {
    const tenant = await fixture().tenant();
    const [id] = await accept(tenant, {});
    await fixture().change(id, `expires_at = now() - interval '1 s'`);
    const crossed = await cross(expireMessages, cancel(tenant, present(id)));
    expect(crossed).toEqual({
      first: [expect.objectContaining({ id })],
      second: 'not-cancellable',
      waited: true,
    });
    expect(await fixture().events(present(id))).toEqual(['expired']);
    expect(await fixture().taken(tenant.accountId)).toEqual([0]);
  });

  test('is sent when the acknowledgement comes before or after it is given up', async () => {
    const tenant = await fixture().tenant();
    for (const isFirst of [true, false]) {
      const { id } = await sending(tenant);
      await fixture().change(id, 'unanswered = 2');
      const asRead = { id, networkMessageId: '3EB0', attempts: 1, epoch: tenant.holder.epoch, untried: false };
      const giving: Work<boolean> = (database) => giveUp(database, tenant.holder, asRead);
      const acknowledging = answer(tenant, id, sent);
      const crossed = await (isFirst ? cross(giving, acknowledging) : cross(acknowledging, giving));
      expect(crossed).toEqual({ first: true, second: isFirst, waited: true });
      expect(await fixture().events(id)).toEqual(isFirst ? ['unknown', 'sent'] : ['sent']);
    }
  });

  test('has each step once when a receipt and the acknowledgement cross', async () => {
    const tenant = await fixture().tenant();
    for (const isFirst of [true, false]) {
      const [tried] = await fixture().sending(tenant);
      const { id, networkMessageId } = present(tried);
      const report: Work<unknown> = (database) =>
        createOutcomeWriter(database).reported({ deviceId: tenant.deviceId, networkMessageId, status: 'delivered' });
      const acknowledging = answer(tenant, id, sent);
      const crossed = await (isFirst ? cross(report, acknowledging) : cross(acknowledging, report));
      expect(crossed.waited).toBe(true);
      expect(await fixture().events(id)).toEqual(['sent', 'delivered']);
    }
  });
});

describe('a message that waits outside its lane', () => {
  test.each<[string, Work<unknown>, ((tenant: Tenant) => Work<unknown>) | null]>([
    ['the sweep', wakeMessages, null],
    [
      'a lifted block',
      () => Promise.resolve(),
      ({ holder }) =>
        (database) =>
          writeAccountLimits(database, holder, { newContacts: 'allowed', newChatQuota: null }),
    ],
  ])('and is cancelled at the same time is not let in by %s', async (_who, wake, lift) => {
    const tenant = await fixture().tenant();
    const [id] = await accept(tenant, {});
    await writeAccountLimits(fixture().database, tenant.holder, blocked(inAnHour()));
    await fixture().change(
      id,
      `reason = 'new_contacts_restricted', held_until = now() - interval '2 ms', waits_until = now() - interval '2 ms'`,
    );
    const crossed = await cross(cancel(tenant, present(id)), lift === null ? wake : lift(tenant));
    expect(crossed).toMatchObject({ first: 'cancelled', waited: true });
    const [row] = await fixture().query('SELECT status, waits_until IS NULL AS woken FROM messages WHERE id = $1', [
      id,
    ]);
    expect(row).toEqual({ status: 'cancelled', woken: false });
  });
});
