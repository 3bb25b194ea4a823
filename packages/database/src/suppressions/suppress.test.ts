import { type DeviceId, newId, type SuppressionScope } from '@kurir/contracts';
import { describe, expect, test } from 'vitest';
import { useCrossing, type Work } from '../../test/crossing-fixture.js';
import { messageOf, present, type Tenant, type TestInput, useDatabaseFixture } from '../../test/database-fixture.js';
import { budi, inboundOn, personOf, textFrom } from '../../test/inbound-fixture.js';
import { acceptTogether } from '../messages/accept-messages.js';
import { moveMessages } from '../messages/write-status.js';
import { settleSuppressions } from './settle-suppressions.js';
import { liftSuppression, suppress, suppressIn } from './suppress.js';

const fixture = useDatabaseFixture();
const cross = useCrossing(fixture);
const { store } = inboundOn(fixture);
const phone = '6281234567890';

const wishOf = ({ accountId }: Tenant, scope: SuppressionScope = 'marketing', phones: readonly string[] = [phone]) =>
  ({ accountId, phones, scope, reason: 'manual', actor: 'usr_1' }) as const;
const suppressed = (tenant: Tenant, scope?: SuppressionScope, phones?: readonly string[]) =>
  suppress(fixture().database, fixture().accountKeys, wishOf(tenant, scope, phones), undefined);
const marketing: TestInput = { category: 'marketing', priority: 'bulk' };

async function outcomeOf(tenant: Tenant, input: TestInput): Promise<string> {
  const [outcome] = await acceptTogether(fixture().database, fixture().accountKeys, [messageOf(tenant, input)]);
  return outcome?.kind === 'refused' ? outcome.code : (outcome?.kind ?? '');
}

/** The message may go at any hour. */
async function accept(tenant: Tenant, input: TestInput = marketing) {
  const { messageId } = present((await fixture().accept(tenant, [input]))[0]);
  await fixture().change(messageId, 'waits_until = send_at, window_opens_at = NULL, window_closes_at = NULL');
  return messageId;
}

describe('an acceptance', () => {
  test.each([
    ['marketing', { authentication: 'accepted', transactional: 'accepted', marketing: 'RECIPIENT_SUPPRESSED' }],
    [
      'all',
      {
        authentication: 'RECIPIENT_SUPPRESSED',
        transactional: 'RECIPIENT_SUPPRESSED',
        marketing: 'RECIPIENT_SUPPRESSED',
      },
    ],
  ] as const)('to somebody who gets no %s is refused by category', async (scope, expected) => {
    const tenant = await fixture().tenant();
    await suppressed(tenant, scope);
    for (const category of ['authentication', 'transactional', 'marketing'] as const)
      expect(await outcomeOf(tenant, { category }), category).toBe(expected[category]);
    expect(await outcomeOf(tenant, { ...marketing, recipient: '6281234567891' })).toBe('accepted');
    expect(await outcomeOf(await fixture().tenant(), marketing)).toBe('accepted');
  });

  test('that repeats an earlier one gets the first answer', async () => {
    const tenant = await fixture().tenant();
    const message = messageOf(tenant, marketing);
    await acceptTogether(fixture().database, fixture().accountKeys, [message]);
    await suppressed(tenant);
    const [again] = await acceptTogether(fixture().database, fixture().accountKeys, [{ ...message, id: newId('msg') }]);
    expect(again).toEqual({ kind: 'repeated', messageId: message.id });
  });

  test('is accepted again after the suppression is lifted', async () => {
    const tenant = await fixture().tenant();
    await suppressed(tenant, 'all');
    const lift = () =>
      liftSuppression(
        fixture().database,
        fixture().accountKeys,
        { accountId: tenant.accountId, phone, scope: null },
        undefined,
      );
    expect([await lift(), await lift()]).toEqual([true, false]);
    expect(await outcomeOf(tenant, {})).toBe('accepted');
  });
});

describe('what waits', () => {
  test('is cancelled over all devices, in the lane and scheduled, and its quota comes back', async () => {
    const tenant = await fixture().tenant();
    const { deviceId } = await fixture().device(tenant.accountId);
    const other: Tenant = { ...tenant, deviceId };
    const ids = [
      await accept(tenant),
      await accept(other),
      await accept(tenant, { ...marketing, sendAt: new Date(Date.now() + 3_600_000) }),
    ];
    const kept = [await accept(tenant, {}), await accept(tenant, { ...marketing, recipient: '6281234567891' })];
    expect(await suppressed(tenant)).toEqual({ added: 1, cancelled: 3 });
    for (const id of ids)
      expect(await fixture().state(id)).toMatchObject({ status: 'cancelled', reason: 'recipient_suppressed' });
    for (const id of kept) expect(await fixture().state(id)).toMatchObject({ status: 'queued' });
    expect(await fixture().taken(tenant.accountId)).toEqual([2]);
    expect(await suppressed(tenant)).toEqual({ added: 0, cancelled: 0 });
  });

  test('with an unanswered try becomes unknown, because it may have gone out', async () => {
    const tenant = await fixture().tenant();
    const id = await accept(tenant);
    await fixture().change(id, 'attempts = 1, unanswered = 1');
    expect(await suppressed(tenant)).toEqual({ added: 1, cancelled: 0 });
    expect(await fixture().state(id)).toMatchObject({ status: 'unknown', reason: 'no_answer' });
    expect(await fixture().taken(tenant.accountId)).toEqual([1]);
  });

  test('and comes back from a try is never claimed again, and the sweep ends it', async () => {
    const tenant = await fixture().tenant();
    const id = await accept(tenant);
    expect(await fixture().claim(tenant.holder)).toMatchObject({ kind: 'claimed', message: { id } });
    await suppressed(tenant);
    expect(await fixture().state(id)).toMatchObject({ status: 'sending' });
    await moveMessages(fixture().database.pool, [
      { id, to: 'queued', ownerEpoch: tenant.holder.epoch, attempt: 1, holdMs: 0 },
    ]);
    expect(await fixture().claim(tenant.holder)).toEqual({ kind: 'nothing' });
    await settleSuppressions(fixture().database);
    expect(await fixture().state(id)).toMatchObject({ status: 'cancelled', reason: 'recipient_suppressed' });
  });

  test('beyond the first batch is ended by the sweep', async () => {
    const tenant = await fixture().tenant({ quota: 5_000 });
    for (let i = 0; i < 3; i += 1)
      await fixture().accept(
        tenant,
        Array.from({ length: 500 }, () => marketing),
      );
    expect(await suppressed(tenant)).toEqual({ added: 1, cancelled: 1_000 });
    expect(await fixture().claim(tenant.holder)).toEqual({ kind: 'nothing' });
    while ((await settleSuppressions(fixture().database)) > 0);
    expect(await fixture().taken(tenant.accountId)).toEqual([0]);
  });
});

describe('crossing', () => {
  const accepting =
    (tenant: Tenant): Work<unknown> =>
    (database) =>
      acceptTogether(database, fixture().accountKeys, [messageOf(tenant, marketing)]);
  const suppressing =
    (tenant: Tenant): Work<unknown> =>
    async ({ pool }) => {
      const keys = await fixture().accountKeys.fingerprinting(tenant.accountId);
      const client = await pool.connect();
      const { accountId } = tenant;
      const wish = { accountId, recipients: [phone], scope: 'marketing', reason: 'manual' } as const;
      await suppressIn(client, keys, { ...wish, sourceId: null, actor: null });
      client.release();
    };

  test.each([true, false])('an acceptance: the message never goes out (acceptance first: %s)', async (isFirst) => {
    const tenant = await fixture().tenant();
    await (isFirst ? cross(accepting(tenant), suppressing(tenant)) : cross(suppressing(tenant), accepting(tenant)));
    const [row] = await fixture().query<{ status: string }>('SELECT status FROM messages WHERE account_id = $1', [
      tenant.accountId,
    ]);
    expect(row?.status).toBe('queued');
    expect(await fixture().claim(tenant.holder)).toEqual({ kind: 'nothing' });
    expect(await settleSuppressions(fixture().database)).toBe(1);
    expect(await fixture().taken(tenant.accountId)).toEqual([0]);
  });

  test.each([true, false])('a claim: one of them wins (claim first: %s)', async (isFirst) => {
    const tenant = await fixture().tenant();
    const id = await accept(tenant);
    const claiming: Work<unknown> = async (database) => {
      const { createClaimer } = await import('../messages/claim-message.js');
      return createClaimer(database, fixture().accountKeys).submit({ ...tenant.holder, lastTry: '' });
    };
    const { waited } = await (isFirst ? cross(claiming, suppressing(tenant)) : cross(suppressing(tenant), claiming));
    expect(waited).toBe(true);
    expect((await fixture().state(id)).status).toBe(isFirst ? 'sending' : 'cancelled');
  });
});

test('a suppression is settled only once nothing of the person is open', async () => {
  const tenant = await fixture().tenant();
  const open = () =>
    fixture().query('SELECT 1 FROM suppressions WHERE account_id = $1 AND settled_at IS NULL', [tenant.accountId]);
  const id = await accept(tenant);
  await fixture().claim(tenant.holder);
  await suppressed(tenant);
  await settleSuppressions(fixture().database);
  expect(await open()).toHaveLength(1);
  await fixture().query(`UPDATE suppressions SET created_at = now() - interval '2 minutes' WHERE account_id = $1`, [
    tenant.accountId,
  ]);
  await settleSuppressions(fixture().database);
  expect(await open()).toHaveLength(1);
  await fixture().change(id, `status = 'sent'`);
  await settleSuppressions(fixture().database);
  expect(await open()).toEqual([]);
});

test('a number and the id of a person who hid it are suppressed together', async () => {
  const tenant = await fixture().tenant();
  const [number, userId] = [budi.phone ?? '', budi.userId];
  await store(tenant.deviceId, textFrom(budi, 'Halo'));
  await suppressed(tenant, 'marketing', [number]);
  for (const recipient of [number, userId])
    expect(await outcomeOf(tenant, { ...marketing, recipient })).toBe('RECIPIENT_SUPPRESSED');
});

test('a suppressed person stays so when the number becomes known', async () => {
  const tenant = await fixture().tenant();
  const [number, hidden] = ['6281200000777', personOf('lid:777', null)];
  await store(tenant.deviceId, textFrom(hidden, 'Halo'));
  await suppressed(tenant, 'marketing', ['lid:777']);
  expect(await outcomeOf(tenant, { ...marketing, recipient: number })).toBe('accepted');
  await store(tenant.deviceId, textFrom(personOf('lid:777', number), 'Halo'));
  expect(await outcomeOf(tenant, { ...marketing, recipient: number })).toBe('RECIPIENT_SUPPRESSED');
  expect(await settleSuppressions(fixture().database)).toBe(1);
});

test('a device of another account is not concerned', async () => {
  const [tenant, other] = [await fixture().tenant(), await fixture().tenant()];
  const id = await accept(other);
  await suppressed(tenant, 'all');
  expect(await fixture().state(id)).toMatchObject({ status: 'queued' });
  expect(other.deviceId satisfies DeviceId).not.toBe(tenant.deviceId);
});
