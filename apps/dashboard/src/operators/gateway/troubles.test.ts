import { expect, test } from 'vitest';
import type { Gateway } from './gateway.js';
import { gatewayTexts } from './texts.js';
import { troublesOf } from './troubles.js';

const t = gatewayTexts.en.troubles;

const well: Gateway = {
  version: '0.1.0',
  whatsapp_version: null,
  workers: 2,
  capacity: 100,
  devices_wanted: 1,
  devices_unheld: 0,
  devices: [],
  queue: [{ priority: 'otp', in_lanes: 1, waiting: 0, oldest_seconds: 30 }],
  webhooks: { working: 3, failing: 0, disabled: 2 },
  webhook_retries: { overdue: 0, later: 9, failed: 4 },
  broadcasts: [],
  database_bytes: 1e7,
  oldest_transaction_seconds: 60,
  clock_skew_seconds: -30,
  redis: { state: 'up', used_bytes: 1e6, max_bytes: null },
};

test('nothing needs a person at the limits', () => {
  expect(troublesOf(well, t)).toEqual([]);
});

test.each<[string, Partial<Gateway>, string]>([
  ['no worker', { workers: 0 }, t.noWorkers],
  ['devices without a worker', { devices_unheld: 2 }, t.unheld(2)],
  ['Redis away', { redis: { state: 'down', used_bytes: null, max_bytes: null } }, t.redisDown],
  ['Redis a replica', { redis: { ...well.redis, state: 'read_only' } }, t.redisReadOnly],
  ['Redis full', { redis: { ...well.redis, state: 'full' } }, t.redisFull],
  ['an old code', { queue: [{ priority: 'otp', in_lanes: 1, waiting: 0, oldest_seconds: 31 }] }, t.oldCode('31 s')],
  ['webhooks', { webhooks: { working: 0, failing: 3, disabled: 2 } }, t.webhooks(3)],
  ['a long transaction', { oldest_transaction_seconds: 61 }, t.longTransaction('1 min 1 s')],
  ['a wrong clock', { clock_skew_seconds: -31 }, t.clock('31 s')],
])('%s is said', (_name, state, sentence) => {
  expect(troublesOf({ ...well, ...state }, t)).toEqual([sentence]);
});
