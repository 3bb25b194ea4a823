import { healthReasons, publicOperations } from '@kurir/contracts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createCustomer, type Customer } from '../../test/customer-fixture.js';
import { call } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
let customer: Customer;
beforeAll(async () => {
  t = await startTestApi();
});
afterAll(() => t.close());
beforeEach(async () => {
  customer = await createCustomer(t.database);
});

async function health() {
  const { body } = await call(t.url, customer, 'deviceHealth');
  return publicOperations.deviceHealth.data.parse(body.data);
}

async function listedWord() {
  const { body } = await call(t.url, customer, 'listDevices');
  return publicOperations.listDevices.data.parse(body.data).devices[0]?.health;
}

test('a device that has sent nothing is good', async () => {
  const shown = await health();
  expect(shown).toMatchObject({ device_id: customer.deviceId, health: 'good', reasons: [], counted_at: null });
  expect(shown.days).toHaveLength(30);
  expect(await listedWord()).toBe('good');
});

test('the word of the list is that of the device, whose reasons have shares and sentences', async () => {
  await t.database.pool.query(
    `INSERT INTO device_days (device_id, day, sent, delivered, failed, refused, unknown, answers, opted_out)
     VALUES ($1, (now() AT TIME ZONE 'UTC')::date, 100, 70, 20, 10, 0, 6, 2)`,
    [customer.deviceId],
  );
  const shown = await health();
  expect(shown.health).toBe('at_risk');
  expect(shown.reasons).toEqual([
    { reason: 'failures', level: 'at_risk', percent: 23.1, advice: healthReasons.failures },
    { reason: 'opt_outs', level: 'watch', percent: 2, advice: healthReasons.opt_outs },
  ]);
  expect(shown.days.at(-1)).toEqual({
    day: new Date().toISOString().slice(0, 10),
    sent: 100,
    delivered: 70,
    failed: 20,
    refused: 10,
    unknown: 0,
    answers: 6,
    opted_out: 2,
  });
  expect(Date.parse(shown.counted_at ?? '')).toBeGreaterThan(0);
  expect(await listedWord()).toBe('at_risk');
});
