/** The order of a subject when somebody resends one of its events while others are under way. */
import { newId } from '@kurir/contracts';
import { createAccountKeys } from '@kurir/database';
import { resendEvent } from '@kurir/database/webhooks';
import { createLogger } from '@kurir/logging';
import { waitUntil } from '@kurir/testing';
import { expect, test } from 'vitest';
import { useWebhookFixture } from '../../test/webhook-fixture.js';
import { refuse, take } from '../../test/webhook-receiver.js';
import { WebhookReaders } from './webhook-readers.js';

const fixture = useWebhookFixture();

test('an event that waits behind a resent one does not overtake an earlier one in flight', async () => {
  const t = fixture();
  const customer = await t.customer({ mode: 'ordered' });
  const { accountId, receiver, webhookId } = customer;
  const noop = () => undefined;
  const readers = new WebhookReaders({
    owner: newId('wrk'),
    database: t.database,
    sealer: t.sealer,
    accountKeys: createAccountKeys(t.database, t.sealer),
    policy: 'loopback',
    log: createLogger({ name: 'webhooks', level: 'silent', pretty: false }),
    onHungry: noop,
    onRetryFree: noop,
    eventDays: 30,
  });
  const until = (what: string, isSo: () => boolean | Promise<boolean>) =>
    waitUntil(
      async () => {
        await readers.readRound();
        await readers.readRetries();
        await readers.persist();
        return isSo();
      },
      { what },
    );
  const append = (subject: string, sequence: number) =>
    t.query(
      `INSERT INTO events (account_id, generation, subject_id, sequence, kind)
       VALUES ($1, event_generation(), $2, $3, 'message.sent')`,
      [accountId, subject, sequence],
    );
  const arrived = (subject: string, sequence: number) =>
    receiver.received.filter((one) => one.subjectId === subject && one.sequence === sequence);
  await readers.balance();
  await append('msg_s', 1);
  await until('the first event is taken', () => arrived('msg_s', 1).some(({ isTaken }) => isTaken));

  let answerSecond: () => void = noop;
  receiver.behave = (response, received) => {
    if (received.subjectId !== 'msg_s') return take(response, received);
    if (received.sequence === 1) return refuse(500)(response, received);
    answerSecond = () => {
      take(response, received);
      received.isTaken = true;
    };
  };
  await append('msg_s', 2);
  await until('the second event is in flight', () => arrived('msg_s', 2).length === 1);
  const [first] = await t.query<{ generation: bigint; xid: string; seq: bigint; at: Date }>(
    `SELECT generation, xid::text AS xid, seq, at FROM events WHERE subject_id = 'msg_s' AND sequence = 1`,
  );
  if (first === undefined) throw new Error('the first event is gone');
  const position = { generation: first.generation, xid: BigInt(first.xid), seq: first.seq };
  const { at } = first;
  await resendEvent(t.database, webhookId, {
    position,
    at,
    subjectId: 'msg_s',
    sequence: 1,
  } as Parameters<typeof resendEvent>[2]);
  await until('the resent event is refused', async () => (await t.waiting(customer))[0]?.tries === 1);
  await append('msg_s', 3);
  await until('the third event waits', async () => (await t.waiting(customer)).length === 2);

  const hangOn = receiver.behave;
  receiver.behave = (response, received) =>
    received.sequence === 1 ? take(response, received) : hangOn(response, received);
  await t.makeRetriesDue(customer);
  await until('the resent event is taken', async () => (await t.waiting(customer)).length === 1);
  // A whole round of retries, and an event of another subject, pass.
  await append('msg_other', 1);
  await until('another subject goes on', () => arrived('msg_other', 1).length === 1);
  await readers.readRetries();
  await until('another subject goes on still', () => arrived('msg_other', 1).length === 1);
  const overtaken = arrived('msg_s', 3).length;
  receiver.behave = take;
  answerSecond();
  await until('all are taken', async () => (await t.waiting(customer)).length === 0);
  await readers.stop();
  expect(overtaken).toBe(0);
  expect(arrived('msg_s', 3)).toHaveLength(1);
});
