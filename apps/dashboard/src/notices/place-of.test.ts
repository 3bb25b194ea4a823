import { expect, test } from 'vitest';
import { placeOf } from './place-of.js';

test('a notice leads to its device, webhook or broadcast, to the members or to the plan, and to nothing that is gone', () => {
  const device = { kind: 'device.banned', subject: 'dev_1', name: 'Kasir' } as const;
  expect(placeOf(device)).toEqual({ to: '/devices/$deviceId', params: { deviceId: 'dev_1' } });
  const webhook = { kind: 'webhook.disabled', subject: 'whk_1', name: 'https://toko.example/kurir' } as const;
  expect(placeOf(webhook)).toEqual({ to: '/webhooks/$webhookId', params: { webhookId: 'whk_1' } });
  expect(placeOf({ ...device, name: null })).toBeNull();
  expect(placeOf({ ...webhook, name: null })).toBeNull();
  const broadcast = { kind: 'broadcast.finished', subject: 'brc_1', name: 'Promo' } as const;
  expect(placeOf(broadcast)).toEqual({ to: '/broadcasts/$broadcastId', params: { broadcastId: 'brc_1' } });
  expect(placeOf({ ...broadcast, name: null })).toBeNull();
  expect(placeOf({ kind: 'member.joined', subject: 'usr_1', name: null })).toEqual({ to: '/members' });
  expect(placeOf({ kind: 'renewal.paid', subject: 'rnw_1', name: 'Usaha' })).toEqual({ to: '/billing' });
  expect(placeOf({ kind: 'quota.low', subject: 'acc_1', name: null })).toEqual({ to: '/billing' });
});
