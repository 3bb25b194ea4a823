import { expect, test } from 'vitest';
import type { Delivery } from '../records/delivery-log.js';
import type { EventRecord } from '../records/event-record.js';
import { findExpired, findWrongDeliveries } from './deliveries.js';

const delivery = (sequence: number, body = 'b'): Delivery => ({
  account: 0,
  id: `evt_m_${sequence}_0`,
  subjectId: 'm',
  sequence,
  body,
});
const all = [delivery(1), delivery(2), delivery(3)];
const record = (more: Partial<EventRecord>): EventRecord => ({
  logged: all.map(({ account, id }) => ({ account, id, kind: 'message.sent' })),
  before: new Set(),
  webhooks: all,
  feed: all,
  webhookAccounts: [0],
  orderedAccounts: [0],
  feedAccounts: [0],
  expirations: [0],
  ...more,
});
const namesOf = (more: Partial<EventRecord>) => findWrongDeliveries(record(more)).map(({ name }) => name);

test('a record without a fault has no finding, and repeats are none', () => {
  expect(namesOf({})).toEqual([]);
  expect(namesOf({ webhooks: [...all, ...all] })).toEqual([]);
});

test('each fault is found', () => {
  expect(namesOf({ feed: all.slice(1) })).toEqual(['events_missing_from_the_feed']);
  expect(namesOf({ webhooks: all.slice(0, 2) })).toEqual(['deliveries_missing']);
  expect(namesOf({ webhooks: [delivery(2), delivery(1), delivery(3)] })).toEqual(['deliveries_out_of_order']);
  expect(namesOf({ webhooks: [...all, delivery(2, 'other')] })).toEqual(['different_bodies_under_one_id']);
});

test('a restored backup begins the order of a subject again', () => {
  const again = { ...delivery(2), id: 'evt_m_2_1' };
  expect(namesOf({ webhooks: [...all, again], orderedAccounts: [0] })).toEqual([]);
  expect(namesOf({ webhooks: [...all, { ...delivery(3), id: 'evt_m_3_1' }, again] })).toEqual([
    'deliveries_out_of_order',
  ]);
});

test('a cursor that expired is found', () => {
  expect(findExpired(record({ expirations: [0, 1] }))).toHaveLength(1);
  expect(findExpired(record({}))).toEqual([]);
});

test('a webhook does not get events from before it', () => {
  expect(namesOf({ webhooks: all.slice(1), before: new Set(['evt_m_1_0']) })).toEqual([]);
});

test('the order counts at ordered webhooks only', () => {
  expect(namesOf({ webhooks: [delivery(2), delivery(1), delivery(3)], orderedAccounts: [] })).toEqual([]);
});
