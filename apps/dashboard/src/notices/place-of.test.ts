import { expect, test } from 'vitest';
import { placeOf } from './place-of.js';

test('a notice leads to its device, its webhook or the plan, and to nothing that is gone', () => {
  const device = { kind: 'device.banned', subject: 'dev_1', name: 'Kasir' } as const;
  expect(placeOf(device)).toEqual({ to: '/devices/$deviceId', params: { deviceId: 'dev_1' } });
  const webhook = { kind: 'webhook.disabled', subject: 'whk_1', name: 'https://toko.example/kurir' } as const;
  expect(placeOf(webhook)).toEqual({ to: '/webhooks/$webhookId', params: { webhookId: 'whk_1' } });
  expect(placeOf({ ...device, name: null })).toBeNull();
  expect(placeOf({ ...webhook, name: null })).toBeNull();
  expect(placeOf({ kind: 'quota.low', subject: 'acc_1', name: null })).toEqual({ to: '/billing' });
});
