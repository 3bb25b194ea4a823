/** The primary dies while messages go out, and its standby takes over. All programs know both addresses. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { migrate } from '@kurir/database';
import { openPostgresServers, type PostgresServers, waitUntil, whyNoPostgresServers } from '@kurir/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newPhoneNumber, readInbox } from './phones/phone.js';
import { expectAllOnce, sendNumbered } from './stack/numbered-texts.js';
import { type Stack, startStack } from './stack/stack.js';

const migrations = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

let servers: PostgresServers | null = null;
let stack: Stack | undefined;
beforeAll(async () => {
  servers = await openPostgresServers();
});
afterAll(async () => {
  await stack?.stop();
  await servers?.remove();
});

const [devices, textsEach] = [4, 150];
/** An operator or a program needs some time before it promotes the standby. */
const decidedAfterMs = 3_000;

it('each message is delivered once and in order, and the api is ready again', async ({ skip }) => {
  if (servers === null) return skip(whyNoPostgresServers);
  const { primary, promote, url } = await servers.startPair();
  await migrate(url, migrations);
  const running = await startStack({ workers: 2, env: { DATABASE_URL: url } });
  stack = running;
  const customer = await running.createCustomer({ devices });
  const phones = customer.deviceIds.map(() => newPhoneNumber());
  const sendAll = customer.deviceIds.map((id, i) => sendNumbered(customer.withDevice(id), phones[i] ?? '', textsEach));
  await Promise.all(sendAll);
  await waitUntil(async () => (await readInbox(running, phones[0] ?? '')).length > 10, { what: 'sending has begun' });
  await primary.end('SIGKILL');
  const isReady = async () => (await fetch(`${running.baseUrl}/health/ready`)).status;
  await waitUntil(async () => (await isReady()) === 503, { what: 'the api is not ready' });
  await sleep(decidedAfterMs);
  await promote();
  await waitUntil(async () => (await isReady()) === 200, { what: 'the api is ready' });
  await Promise.all(phones.map((phone) => expectAllOnce(running, phone, textsEach)));
  const later = newPhoneNumber();
  await sendNumbered(customer, later, 10);
  await expectAllOnce(running, later, 10);
  expect((await readInbox(running, later)).length).toBe(10);
});
