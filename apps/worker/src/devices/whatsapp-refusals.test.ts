/** All answers of WhatsApp to a message: the status that the customer reads, and the next message of the lane. */
import type { MessageId } from '@kurir/contracts';
import { waitUntil } from '@kurir/testing';
import type { AcknowledgementError, MessageFault, QueryFault } from '@kurir/whatsapp-relay';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Customer, MessageState } from '../../test/account-fixture.js';
import { newPhoneNumber } from '../../test/network.js';
import { useWhatsappFixture } from '../../test/whatsapp-fixture.js';

/** Longer than a busy machine needs for an answer, because the tests count tries. */
const ackTimeoutMs = 3_000;
const fixture = useWhatsappFixture({ ackTimeoutMs });

let customer: Customer;
beforeAll(async () => {
  customer = await fixture().customer({ quota: 1_000 });
});

const sendTo = (recipient: string, text = 'Halo'): Promise<MessageId> =>
  fixture().sendOne(customer, { recipient, text });

async function untilMessage(id: MessageId, wanted: Partial<MessageState>): Promise<void> {
  await waitUntil(
    async () => {
      expect(await fixture().message(id)).toMatchObject(wanted);
      return true;
    },
    { what: `the message is ${wanted.status}`, timeoutMs: 120_000 },
  );
}

/** Returns the seconds until the message is tried again, on the database's clock. */
async function secondsDeferred(id: MessageId): Promise<number> {
  const rows = await fixture().query<{ seconds: string }>(
    'SELECT extract(epoch FROM held_until - now()) AS seconds FROM messages WHERE id = $1',
    [id],
  );
  return Number(rows[0]?.seconds);
}

/** Expects that the lane sends another message. */
async function expectLaneGoesOn(): Promise<void> {
  await fixture().untilStatus(await sendTo(await fixture().recipient()), 'sent');
  expect(await fixture().device(customer)).toMatchObject({ state: 'connected' });
}

const refuse = (error: AcknowledgementError): MessageFault => ({ kind: 'refuse', error });

/** The number of addresses that one try writes to before it gives up. */
const addressesOf = (error: AcknowledgementError): number => (error === 400 || error === 463 ? 2 : 1);

describe('after a permanent refusal the message fails and costs nothing', () => {
  const rows: readonly (readonly [AcknowledgementError, reason: string])[] = [
    [400, 'recipient_address_refused'],
    [403, 'rejected_by_network'],
    [404, 'recipient_unavailable'],
    [475, 'rejected_by_network'],
  ];
  test.for(rows)('%i: `failed`, %s', async ([error, reason]) => {
    const recipient = await fixture().recipient();
    const quota = await fixture().remainingQuota(customer);
    fixture().relay.faults.messages(refuse(error), { to: recipient, times: addressesOf(error) });
    const id = await sendTo(recipient);
    await untilMessage(id, { status: 'failed', reason, attempts: 1 });
    expect(await fixture().remainingQuota(customer)).toBe(quota);
    await expectLaneGoesOn();
  });

  test('479 twice: the second one comes after the driver asked for the devices again', async () => {
    const recipient = await fixture().recipient();
    fixture().relay.faults.messages(refuse(479), { to: recipient, times: 2 });
    await untilMessage(await sendTo(recipient), { status: 'failed', reason: 'rejected_by_network', attempts: 2 });
  });

  test('nothing is written to a number without an account', async () => {
    const number = newPhoneNumber();
    const quota = await fixture().remainingQuota(customer);
    await untilMessage(await sendTo(number), { status: 'failed', reason: 'recipient_not_on_network' });
    expect(await fixture().remainingQuota(customer)).toBe(quota);
    expect(
      fixture()
        .relay.journal.of('message')
        .filter(({ recipient }) => recipient === number),
    ).toEqual([]);
  });
});

describe('after a temporary refusal the message waits with its reason, and the lane goes on', () => {
  const rows: readonly (readonly [AcknowledgementError, reason: string, seconds: number])[] = [
    [429, 'rate_limited_by_network', 60],
    [463, 'recipient_token_required', 3_600],
    [500, 'temporarily_unavailable', 30],
    [503, 'temporarily_unavailable', 30],
  ];
  test.for(rows)('%i: `queued`, %s, for %i s', async ([error, reason, seconds]) => {
    const recipient = await fixture().recipient();
    fixture().relay.faults.messages(refuse(error), { to: recipient, times: addressesOf(error) });
    const id = await sendTo(recipient);
    await untilMessage(id, { status: 'queued', reason, attempts: 1, deferred: true });
    expect(await secondsDeferred(id)).toBeGreaterThan(seconds - 20);
    expect(await secondsDeferred(id)).toBeLessThanOrEqual(seconds);
    await expectLaneGoesOn();
  });

  test('479: the driver asks for the devices again, and the second try arrives under the same id', async () => {
    const recipient = await fixture().recipient();
    const since = fixture().relay.journal.position;
    fixture().relay.faults.messages(refuse(479), { to: recipient });
    await untilMessage(await sendTo(recipient), { status: 'sent', attempts: 2, unanswered: 0 });
    const seen = fixture()
      .relay.journal.of('message', { since })
      .filter((entry) => entry.recipient === recipient);
    expect(seen.map(({ outcome, error }) => [outcome, error])).toEqual([
      ['refused', 479],
      ['acknowledged', null],
    ]);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(1);
  });

  const questions: readonly (readonly [name: string, fault: QueryFault, reason: string])[] = [
    ['refused with 429', { kind: 'refuse', error: 429, text: 'rate-overlimit' }, 'rate_limited_by_network'],
    ['refused with 500', { kind: 'refuse', error: 500, text: 'internal' }, 'temporarily_unavailable'],
    ['not answered', { kind: 'silence' }, 'temporarily_unavailable'],
  ];
  test.for(questions)(
    'if the query for a number is %s, nothing is written to it, and known recipients get their messages',
    async ([, fault, reason]) => {
      const asker = await fixture().customer();
      const [known, unknown] = [await fixture().recipient(), await fixture().recipient()];
      const send = (recipient: string) => fixture().sendOne(asker, { recipient, text: 'Halo' });
      await fixture().untilStatus(await send(known), 'sent');
      fixture().relay.faults.queries('usync', fault, { from: asker.number });
      await untilMessage(await send(unknown), { status: 'queued', reason, deferred: true });
      const written = fixture().relay.journal.of('message', { from: asker.number });
      expect(written.filter(({ recipient }) => recipient === unknown)).toEqual([]);
      await fixture().untilStatus(await send(known), 'sent');
    },
  );
});

describe('without an answer the message goes out again under its id, and is `unknown` after three tries', () => {
  const rows: readonly (readonly [name: string, fault: MessageFault, times: number, wanted: Partial<MessageState>])[] =
    [
      ['swallowed once', { kind: 'swallow-before-acknowledgement' }, 1, { status: 'sent', attempts: 2, unanswered: 1 }],
      ['its acknowledgement lost', { kind: 'lose-acknowledgement' }, 1, { status: 'sent', attempts: 2, unanswered: 1 }],
      [
        'swallowed each time',
        { kind: 'swallow-before-acknowledgement' },
        3,
        { status: 'unknown', reason: 'no_answer', attempts: 3, unanswered: 3 },
      ],
      ['acknowledged and lost', { kind: 'swallow-after-acknowledgement' }, 1, { status: 'sent', attempts: 1 }],
      ['reset before the network read it', { kind: 'reset-before-delivery' }, 1, { status: 'sent', attempts: 2 }],
      ['reset in mid-acknowledgement', { kind: 'reset-mid-acknowledgement' }, 1, { status: 'sent', attempts: 2 }],
    ];
  test.for(rows)('%s', async ([, fault, times, wanted]) => {
    const recipient = await fixture().recipient();
    fixture().relay.faults.messages(fault, { to: recipient, times });
    await untilMessage(await sendTo(recipient), wanted);
    const ids = fixture()
      .relay.journal.of('message')
      .flatMap((entry) => (entry.recipient === recipient ? [entry.id] : []));
    expect(new Set(ids).size).toBe(1);
    expect(ids).toHaveLength(wanted.attempts ?? 0);
  });

  test('a late acknowledgement still makes it `sent`', async () => {
    const recipient = await fixture().recipient();
    fixture().relay.faults.messages({ kind: 'swallow-before-acknowledgement' }, { to: recipient, times: 2 });
    fixture().relay.faults.messages(
      { kind: 'delay-acknowledgement', delayMs: ackTimeoutMs + 2_000 },
      { to: recipient },
    );
    const id = await sendTo(recipient);
    await untilMessage(id, { status: 'unknown', attempts: 3 });
    await untilMessage(id, { status: 'sent', attempts: 3 });
    expect(await fixture().timeline(customer, id)).toEqual(['queued', 'sending', 'unknown', 'sent']);
  });
});

test('while the network restricts new contacts for a time, their messages wait, and known recipients get theirs', async () => {
  const other = await fixture().customer();
  const phone = await fixture().phone(other);
  const [known, refused, stranger] = await Promise.all([0, 1, 2].map(() => fixture().recipient()));
  if (known === undefined || refused === undefined || stranger === undefined) throw new Error('three were asked for');
  const send = (recipient: string) => fixture().sendOne(other, { recipient, text: 'Halo' });
  await fixture().untilStatus(await send(known), 'sent');
  const lock = { endsAt: new Date(Date.now() + 3_600_000), enforcementType: 'DEFAULT' };
  phone.setReachoutTimelock(lock, { told: false });
  const first = await send(refused);
  await untilMessage(first, { status: 'queued', reason: 'new_contacts_restricted', deferred: true });
  phone.setReachoutTimelock(lock);
  const isBlocked = `SELECT 1 FROM devices WHERE id = $1 AND new_contacts_blocked_until > now()`;
  await waitUntil(async () => (await fixture().query(isBlocked, [other.deviceId])).length > 0, {
    what: 'it is stored',
  });
  const second = await send(stranger);
  await fixture().untilStatus(await send(known), 'sent');
  expect(await fixture().message(second)).toMatchObject({ status: 'queued', attempts: 0 });
  phone.setReachoutTimelock(null);
  await fixture().untilStatus(first, 'sent');
  await fixture().untilStatus(second, 'sent');
});
