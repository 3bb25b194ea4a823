/** Tests that an account can neither see nor change anything of another account. */
import { publicOperationNames } from '@kurir/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCustomer } from '../../test/customer-fixture.js';
import { nobody, requestsWith } from '../../test/requests-with-names.js';
import { aMessage, call, type Sent } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';
import { createVictim, storedOf } from '../../test/victim-fixture.js';

let t: TestApi;
/** No test may change it, so all tests share it. */
let shared: Awaited<ReturnType<typeof createVictim>>;
beforeAll(async () => {
  t = await startTestApi();
  shared = await createVictim(t);
});
afterAll(() => t.close());

/** The part of an answer that repeats a number of the request. */
const echo = /"asked":"[^"]*","phone":"[^"]*"/g;

/** Leaves out the parts that are new in every answer. */
function essence(answer: Sent): unknown {
  const { status, body } = answer;
  const text = JSON.stringify({ status, body })
    .replace(/\/pay\/[\w-]+/g, '/pay/…')
    // A place in the log of all events, which goes on meanwhile.
    .replace(/"next_cursor":"[0-9a-z]+(-[0-9a-z]+){3}"/, '"next_cursor":"…"')
    .replace(/\b(dev|tpl|con|upl)_[0-9a-z]{26}\b/g, '$1_…')
    .replace(/"Pesanan [^"]*"/, '"…"')
    .replace(/"(created|updated|expires)_at":"[^"]*"/g, '"$1_at":"…"')
    .replace(echo, '"asked":"…"')
    // The second request for one number changes the contact of the first.
    .replace(/"created":(true|false)/, '"created":"…"');
  return JSON.parse(text);
}

describe.each(publicOperationNames)('%s', (operation) => {
  test('gives the same answer for ids of another account and for unknown ids, and leaves that account as it was', async () => {
    const { victim, names, secrets } = shared;
    const stranger = await createCustomer(t.database);
    const before = await storedOf(t, victim);
    const answer = await call(t.url, stranger, operation, requestsWith[operation](names));
    expect(essence(answer)).toEqual(essence(await call(t.url, stranger, operation, requestsWith[operation](nobody))));
    for (const secret of secrets) expect(JSON.stringify(answer.body).replace(echo, '')).not.toContain(secret);
    expect(await storedOf(t, victim)).toEqual(before);
  });

  test('is refused with the secret of another account', async () => {
    const { victim, names } = shared;
    const stranger = await createCustomer(t.database);
    const before = await storedOf(t, victim);
    const forged = { ...victim, key: { id: victim.key.id, secret: stranger.key.secret } };
    expect((await call(t.url, forged, operation, requestsWith[operation](names))).body.code).toBe('INVALID_SIGNATURE');
    expect(await storedOf(t, victim)).toEqual(before);
  });
});

test('two accounts may use the same client_ref, and even the same signature bytes', async () => {
  const [one, two] = [await createCustomer(t.database), await createCustomer(t.database)];
  const body = { ...aMessage, client_ref: 'same' };
  const jobs = [await call(t.url, one, 'sendMessage', { body }), await call(t.url, two, 'sendMessage', { body })];
  const ids = jobs.map((answer) => answer.body.data['job_id']);
  expect(new Set(ids).size).toBe(2);
  const listed = await call(t.url, two, 'listMessages', {});
  expect(listed.body.data['messages']).toMatchObject([{ job_id: ids[1] }]);
});
