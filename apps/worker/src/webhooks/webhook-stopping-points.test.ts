/** A worker dies at each point of its work for webhooks, many times. Another one goes on. */
import type { EventType } from '@kurir/contracts';
import { expect, test } from 'vitest';
import { liveAndDie, type StoppingPoint } from '../../test/mortal-webhooks.js';
import { takenIds, useWebhookFixture, type WebhookCustomer } from '../../test/webhook-fixture.js';
import { type Behaviour, refuse, take } from '../../test/webhook-receiver.js';

const fixture = useWebhookFixture();
const life: readonly EventType[] = ['message.sent', 'message.delivered', 'message.read'];
/** `KURIR_TEST_DEATHS=50` makes each point deadly fifty times. */
const deaths = Number(process.env['KURIR_TEST_DEATHS'] ?? 10);
const messagesEachLife = 3;
/** A point that is passed at all is passed in so many lives. */
const mostLives = 4 * deaths;

const points: readonly StoppingPoint[] = [
  'after take-webhooks',
  'before webhook-events',
  'after webhook-events',
  'before post',
  'after post',
  'before note-failure',
  'after note-failure',
  'before hold-events',
  'after hold-events',
  'after due-retries',
  'before end-retry',
  'after end-retry',
  'before move-webhook-cursor',
  'after move-webhook-cursor',
];

/** Refuses the first try of every fourth event. */
function refuseSome(): Behaviour {
  const seen = new Set<string>();
  return (response, received) => {
    const isFirst = !seen.has(received.id);
    seen.add(received.id);
    return (isFirst && seen.size % 4 === 0 ? refuse(500) : take)(response, received);
  };
}

function expectOneBody({ receiver: { received } }: WebhookCustomer): void {
  const bodies = new Map<string, string>();
  for (const { id, body, isValid } of received) {
    expect(isValid).toBe(true);
    expect(bodies.get(id) ?? body).toBe(body);
    bodies.set(id, body);
  }
}

/** The first time that the server took each event of a subject, in the order of `sequence`. */
function expectOrder({ receiver: { received } }: WebhookCustomer): void {
  const taken = new Set<string>();
  const last = new Map<string, number>();
  for (const { id, subjectId, sequence, isTaken } of received) {
    if (!isTaken || taken.has(id)) continue;
    taken.add(id);
    expect(sequence).toBeGreaterThan(last.get(subjectId) ?? 0);
    last.set(subjectId, sequence);
  }
}

test.each(points)('nothing is missing, altered or out of order after a worker died %s', async (at) => {
  const t = fixture();
  const ordered = await t.customer({ mode: 'ordered', types: life });
  const parallel = await t.customer({ types: life });
  const customers = [ordered, parallel];
  for (const { receiver } of customers) receiver.behave = refuseSome();
  let appended = 0;
  const isDone = async () => {
    await Promise.all(customers.map((customer) => t.makeRetriesDue(customer)));
    return customers.every(({ receiver }) => takenIds(receiver).size === appended);
  };
  let died = 0;
  for (let lives = 0; died < deaths && lives < mostLives; lives++) {
    await Promise.all(customers.map(({ accountId }) => t.append(accountId, messagesEachLife, life)));
    appended += messagesEachLife * life.length;
    if (await liveAndDie(t, { at, nth: 1 + (lives % 2), isDone })) died++;
  }
  expect(died).toBe(deaths);
  await liveAndDie(t, { at, nth: Number.POSITIVE_INFINITY, isDone });
  for (const customer of customers) {
    expect(takenIds(customer.receiver).size).toBe(appended);
    expectOneBody(customer);
  }
  expectOrder(ordered);
});
