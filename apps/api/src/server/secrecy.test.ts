/**
 * Sends a text, a phone number and a secret through every path and failure. No log line and nothing in Redis may have
 * them.
 */
import {
  publicOperations,
  type PublicOperation,
  type PublicOperationName,
  publicOperationNames,
} from '@kurir/contracts';
import { type Database, openDatabase } from '@kurir/database';
import { connectQueue } from '@kurir/queue';
import {
  createTestDatabase,
  freePort,
  type RunningProgram,
  startProgram,
  stopAllPrograms,
  type TestDatabase,
  waitUntil,
} from '@kurir/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer, type Customer } from '../../test/customer-fixture.js';
import { sendBytes } from '../../test/raw-http.js';
import { call, sendSigned, signedHeaders } from '../../test/signed-request.js';
import { type TestApi, testSettings } from '../../test/test-api.js';

const text = 'Kanarienvogel-4711';
const phone = '6281877766655';

let testDatabase: TestDatabase;
let database: Database;
let settings: TestApi['settings'];
let program: RunningProgram;
let customer: Customer;
let url: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  settings = testSettings({ DATABASE_URL: testDatabase.url });
  database = openDatabase({ url: testDatabase.url, poolSize: 2 });
  customer = await createCustomer(database);
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  program = await startProgram({
    path: 'apps/api/dist/main.js',
    env: {
      DATABASE_URL: testDatabase.url,
      REDIS_URL: settings.REDIS_URL,
      KURIR_MASTER_KEY: Buffer.alloc(32, 'm').toString('base64'),
      KURIR_INTERNAL_KEY: Buffer.alloc(32, 'i').toString('base64'),
      KURIR_QUEUE_PREFIX: settings.KURIR_QUEUE_PREFIX,
      KURIR_LOG_LEVEL: 'trace',
      PORT: String(port),
    },
    ready: `${url}/health/ready`,
  });
});

afterAll(async () => {
  await stopAllPrograms();
  await database.close();
  await testDatabase.drop();
});

const bodies: Partial<Record<PublicOperationName, object>> = {
  sendMessage: { message: text, phone_destination: phone },
  sendBulk: {
    messages: [
      { message: text, phone_destination: phone },
      { message: text, phone_destination: `${phone}x` },
    ],
  },
  chatPresence: { action: 'start', phone_destination: phone },
  createDevice: { name: text },
  linkDevice: { method: 'pairing_code', phone_number: phone },
  createWebhook: { url: `https://${text}:${phone}@example.com` },
  updateWebhook: { description: text },
  createTemplate: { name: text, text: `{{${text}` },
  testBroadcast: { phone, values: { [text]: text } },
  checkContacts: { phones: [text, phone] },
  previewTemplate: { text, rows: [{ phone, values: { [text]: text } }] },
};

/** A request of every operation, with the canaries in every field that takes them. */
async function askEverything(): Promise<void> {
  const query = `phone_destination=${phone}&client_ref=${text}`;
  await Promise.all(
    publicOperationNames.map((operation) => {
      // A real device would be unlinked for the other requests.
      const deviceId = operation === 'disconnectDevice' ? text : customer.deviceId;
      return call(url, customer, operation, { body: bodies[operation], query, jobId: text, deviceId });
    }),
  );
}

async function askBadly(): Promise<void> {
  const { key, deviceId } = customer;
  const headers = { 'X-Device-Id': deviceId };
  for (const operation of ['sendMessage', 'sendBulk', 'chatPresence'] as const) {
    const entry: PublicOperation = publicOperations[operation];
    const target = entry.path;
    for (const body of [
      `{"message": ${text}}`,
      `{"${text}": "${phone}"}`,
      `"${text}`,
      JSON.stringify({ message: 7, phone_destination: text }),
    ]) {
      await sendSigned(url, { method: 'POST', target, body, key, headers });
      await sendSigned(url, { method: 'POST', target, body, key: { id: key.id, secret: text }, headers });
      await sendSigned(url, {
        method: 'POST',
        target: `${target}?${text}=${phone}`,
        body,
        key: { id: `kk_test_${phone}`, secret: text },
        headers,
      });
    }
  }
  await fetch(`${url}/${text}/${phone}?${text}`);
  await fetch(`${url}/pay/${text}`);
  await sendBytes(url, `${text} /${phone} HTTP/1.1\r\n${text}: ${phone}\r\n${text}\r\n\r\n`);
  await sendBytes(
    url,
    `POST /api/v1/messages/send?${text} HTTP/1.1\r\nHost: ${text}\r\nX-API-Key: ${text}\r\nContent-Length: 5000\r\n\r\n${text}`,
    300,
  );
}

async function readRedis(): Promise<string> {
  const queue = connectQueue({
    urls: [settings.REDIS_URL],
    prefix: settings.KURIR_QUEUE_PREFIX,
    internalKeys: settings.KURIR_INTERNAL_KEY,
  });
  try {
    await waitUntil(() => queue.commands.status === 'ready', { what: 'redis is connected' });
    const keys = await waitUntil(() => queue.commands.keys(`*${settings.KURIR_QUEUE_PREFIX}*`), {
      what: 'keys are there',
    });
    const values = await Promise.all(keys.map((key) => queue.commands.dumpBuffer(key)));
    return keys.join('\n') + values.map((value) => value?.toString('latin1')).join('\n');
  } finally {
    await queue.close();
  }
}

function expectNoCanary(where: string, content: string, signatures: readonly string[] = []): void {
  for (const canary of [text, phone, customer.key.secret, ...signatures])
    expect(content.includes(canary), `${where} holds ${canary}`).toBe(false);
}

const countFailures = () => program.logs().filter((line) => line['msg'] === 'request failed').length;

test('neither the logs nor Redis contain a text, a number, a secret or a signature', async () => {
  await askEverything();
  await askBadly();
  const signed = signedHeaders({ method: 'GET', target: '/api/v1/account/info', key: customer.key });
  await fetch(`${url}/api/v1/account/info`, { headers: signed });
  expectNoCanary('Redis', await readRedis());

  // From here on a typing signal is refused, but a send still reaches the database.
  await database.pool.query(`UPDATE device_leases SET expires_at = now() - interval '2 ms'`);
  // Errors of Postgres contain the values of the failed row, such as the number.
  await database.pool.query(`ALTER TABLE messages ADD CONSTRAINT no_canary CHECK (recipient <> '${phone}') NOT VALID`);
  const failuresBefore = countFailures();
  await askEverything();
  await waitUntil(() => countFailures() > failuresBefore, { what: 'the refused row is logged' });
  await database.pool.query('ALTER TABLE messages RENAME TO messages_gone');
  await database.pool.query('ALTER TABLE plan_choices RENAME TO plan_choices_gone');
  await askEverything();

  await waitUntil(() => countFailures() >= 4, { what: 'failures are logged' });
  expect(program.logs().length).toBeGreaterThan(50);
  expectNoCanary('the log', program.lines.join('\n'), [signed['X-Signature'], signed['X-Signature'].slice(0, 16)]);
});
