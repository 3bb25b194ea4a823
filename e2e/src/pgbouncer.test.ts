/** The gateway behind PgBouncer in transaction mode. */
import { openDatabase } from '@kurir/database';
import { hasPgbouncer, waitUntil, whyNoPgbouncer } from '@kurir/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { newPhoneNumber } from './phones/phone.js';
import { expectAllOnce, sendNumbered } from './stack/numbered-texts.js';
import { type Stack, startStack } from './stack/stack.js';

let stack: Stack | undefined;
beforeAll(async () => {
  if (hasPgbouncer) stack = await startStack({ workers: 2, pooler: true });
  else console.warn(`pgbouncer: ${whyNoPgbouncer}`);
});
beforeEach((ctx) => {
  if (!hasPgbouncer) ctx.skip(whyNoPgbouncer);
});
afterAll(() => stack?.stop());

const [devices, textsEach] = [5, 200];

it('a thousand messages from five devices are delivered, once each and in order', async () => {
  if (stack === undefined) throw new Error('there is no stack');
  const running = stack;
  const customer = await running.createCustomer({ devices });
  const phones = customer.deviceIds.map(() => newPhoneNumber());
  await Promise.all(
    customer.deviceIds.map((id, i) => sendNumbered(customer.withDevice(id), phones[i] ?? '', textsEach)),
  );
  await Promise.all(phones.map((phone) => expectAllOnce(running, phone, textsEach)));
  const database = openDatabase({ url: running.env['DATABASE_URL'] ?? '', poolSize: 1 });
  try {
    const countArrived = async () => {
      const { rows } = await database.pool.query<{ arrived: number }>(
        `SELECT count(*)::int AS arrived FROM messages WHERE status IN ('delivered', 'read')`,
      );
      return rows[0]?.arrived === devices * textsEach;
    };
    await waitUntil(countArrived, { what: 'all are delivered' });
  } finally {
    await database.close();
  }
  const errors = [running.api, ...running.workers].flatMap((program) =>
    program.logs().filter(({ level }) => typeof level === 'number' && level >= 50),
  );
  expect(errors).toEqual([]);
});
