/** A call that does not fit the state of a broadcast. The answer says what to do instead. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createBroadcast } from '../../test/broadcast-error-cases.js';
import { createCustomer, type Customer } from '../../test/customer-fixture.js';
import { call } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
let customer: Customer;
let broadcastId: string;
beforeAll(async () => {
  t = await startTestApi();
});
afterAll(() => t.close());
beforeEach(async () => {
  customer = await createCustomer(t.database);
  broadcastId = await createBroadcast(t, customer, 1);
});

const anyHour = { confirm_any_hour: true };
const bodies = {
  addBroadcastRecipients: { after: 1, rows: [{ phone: '6281234567890' }] },
  startBroadcast: anyHour,
  pauseBroadcast: undefined,
  resumeBroadcast: {},
  cancelBroadcast: undefined,
  updateBroadcast: { name: 'Other' },
  testBroadcast: { phone: '6281234567890' },
} as const;
const ask = (operation: keyof typeof bodies, body: object | undefined = bodies[operation]) =>
  call(t.url, customer, operation, { broadcastId, body });

test.each([
  ['draft', 'startBroadcast', /check first, then start/],
  ['draft', 'pauseBroadcast', /check first/],
  ['checking', 'startBroadcast', /Wait until/],
  ['checking', 'addBroadcastRecipients', /file or contacts/],
  ['ready', 'addBroadcastRecipients', /list is fixed/],
  ['ready', 'resumeBroadcast', /\/start starts it/],
  ['scheduled', 'resumeBroadcast', /by itself at its send_at/],
  ['running', 'startBroadcast', /go out already/],
  ['paused', 'startBroadcast', /\/resume lets it go on/],
  ['finished', 'startBroadcast', /resume with the scope failed/],
  ['finished', 'cancelBroadcast', /Nothing is left to cancel/],
  ['finished', 'updateBroadcast', /Create a new broadcast/],
  ['finished', 'testBroadcast', /Create a new broadcast/],
  ['cancelled', 'resumeBroadcast', /Create a new broadcast/],
] as const)('%s: %s says what to do', async (state, operation, advice) => {
  await t.database.pool.query(
    `UPDATE broadcasts SET state = $2, paused_by = CASE WHEN $2 = 'paused' THEN 'user' END,
       ended_at = CASE WHEN $2 = 'finished' THEN now() END WHERE id = $1`,
    [broadcastId, state],
  );
  const { status, body } = await ask(operation);
  expect([status, body.code, body.error]).toEqual([
    409,
    'BROADCAST_STATE',
    expect.stringMatching(new RegExp(`^The broadcast is ${state}\\. .*${advice.source}`)),
  ]);
});

test('sending again without a failure says that none failed', async () => {
  await ask('cancelBroadcast');
  broadcastId = await createBroadcast(t, customer, 0);
  await call(t.url, customer, 'checkBroadcast', { broadcastId });
  expect((await ask('startBroadcast')).body.error).toMatch(/No recipient would get a message/);
  await t.database.pool.query(`UPDATE broadcasts SET state = 'finished', ended_at = now() WHERE id = $1`, [
    broadcastId,
  ]);
  expect((await ask('resumeBroadcast', { scope: 'failed' })).body.error).toMatch(/No message of the broadcast failed/);
  expect((await ask('resumeBroadcast', { scope: 'unknown' })).body.error).toMatch(/unknown outcome/);
});

test('a list that is full names its limit', async () => {
  await t.database.pool.query('UPDATE broadcasts SET recipients = 1000000 WHERE id = $1', [broadcastId]);
  const { body } = await ask('addBroadcastRecipients', { after: 1_000_000, rows: [{ phone: '6281234567890' }] });
  expect([body.code, body.error]).toEqual(['INVALID_REQUEST', expect.stringContaining('at most 1000000 rows')]);
});
