/** Sends random bytes as body, query or headers. The answer is never a 5xx and always has our envelope. */
import { publicOperations } from '@kurir/contracts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer, type Customer } from '../../test/customer-fixture.js';
import { expectErrorEnvelope, expectSuccessEnvelope } from '../../test/expect-envelope.js';
import { sendSigned, signedHeaders } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
let customer: Customer;

beforeAll(async () => {
  t = await startTestApi();
  customer = await createCustomer(t.database);
});
afterAll(() => t.close());

const anyBytes = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
const anyJson = fc.json().map((text) => Buffer.from(text, 'utf8'));
const almostRight = fc
  .record({
    message: fc.oneof(fc.string({ unit: 'binary' }), fc.anything()),
    phone_destination: fc.option(fc.oneof(fc.constant('6281234567890'), fc.string()), { nil: undefined }),
    conversation_id: fc.option(fc.oneof(fc.constant('cnv_01kajp4m3s5y8zt0v6qk2c9hbe'), fc.string()), {
      nil: undefined,
    }),
    client_ref: fc.option(fc.string({ unit: 'binary' }), { nil: undefined }),
    ttl_seconds: fc.option(fc.double(), { nil: undefined }),
    send_at: fc.option(
      fc.oneof(
        fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
        fc.string(),
      ),
      { nil: undefined },
    ),
  })
  .map((body) =>
    Buffer.from(
      JSON.stringify(body, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)) ?? '',
      'utf8',
    ),
  );

test.each(['sendMessage', 'sendBulk', 'chatPresence', 'createDevice', 'linkDevice'] as const)(
  'random bytes as the body of %s never give a 5xx or a foreign envelope',
  async (operation) => {
    const { path: target } = publicOperations[operation];
    await fc.assert(
      fc.asyncProperty(fc.oneof(anyBytes, anyJson, almostRight), async (body) => {
        const headers = {
          'Content-Type': 'application/json',
          'X-Device-Id': operation === 'chatPresence' ? 'dev_none' : customer.deviceId,
        };
        const parts = { method: 'POST', target, body, key: customer.key, headers };
        const answer = await fetch(t.url + target, { method: 'POST', headers: signedHeaders(parts), body });
        const text = await answer.text();
        expect(answer.status).toBeLessThan(500);
        if (answer.status === 200) expectSuccessEnvelope(answer.status, text);
        else expectErrorEnvelope(answer.status, text);
      }),
      { numRuns: 150 },
    );
  },
);

test('a random query never gives a 5xx', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.webQueryParameters().filter((query) => query !== ''),
      async (query) => {
        // fetch encodes some more characters, so the target is read from its URL.
        const { search } = new URL(`http://x/?${query}`);
        const target = publicOperations.listMessages.path + search;
        const answer = await sendSigned(t.url, { method: 'GET', target, key: customer.key });
        expect([200, 422]).toContain(answer.status);
      },
    ),
    { numRuns: 100 },
  );
});

test('random credentials never give a 5xx', async () => {
  const character = fc.integer({ min: 0x21, max: 0xff }).filter((code) => code !== 0x7f);
  const headerText = fc.string({ unit: character.map((code) => String.fromCharCode(code)), minLength: 1 });
  await fc.assert(
    fc.asyncProperty(headerText, headerText, headerText, headerText, async (key, timestamp, signature, device) => {
      const headers = { 'X-API-Key': key, 'X-Timestamp': timestamp, 'X-Signature': signature, 'X-Device-Id': device };
      const answer = await fetch(t.url + publicOperations.deviceInfo.path, { headers });
      expect(expectErrorEnvelope(answer.status, await answer.text())).toMatch(
        /TIMESTAMP|API_KEY|SIGNATURE|CREDENTIALS/,
      );
    }),
    { numRuns: 100 },
  );
});
