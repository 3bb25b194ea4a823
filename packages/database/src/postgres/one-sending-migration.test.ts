/** The migration that allows at most one message of a device in `sending`. */
import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dropDatabase } from '@kurir/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from './migrate.js';

const adminUrl = process.env['KURIR_TEST_ADMIN_URL'] ?? '';
const ours = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url));
const name = '20261124200100_one_sending';
const sql = readFileSync(join(ours, name, 'migration.sql'), 'utf8');

let url: string;
let folder: string;
let client: pg.Client;

const query = async <Row extends object>(text: string, values: readonly unknown[] = []) =>
  (await client.query<Row>(text, [...values])).rows;

/** Messages of an earlier version: id, device, status, unanswered. */
const before = [
  ['a1', 'dev_a', 'sent', 0],
  ['a2', 'dev_a', 'sending', 0],
  ['a3', 'dev_a', 'sending', 0],
  ['a4', 'dev_a', 'sending', 1],
  ['a5', 'dev_a', 'sending', 2],
  ['a6', 'dev_a', 'queued', 0],
  ['b1', 'dev_b', 'sending', 2],
  ['c1', 'dev_c', 'queued', 0],
] as const;

beforeAll(async () => {
  const fresh = new URL(adminUrl);
  fresh.pathname = `/kurir_test_one_sending_${randomBytes(6).toString('hex')}`;
  url = fresh.href;
  folder = mkdtempSync(join(tmpdir(), 'kurir-migrations-'));
  for (const earlier of readdirSync(ours).filter((entry) => entry < name && !entry.endsWith('.toml')))
    cpSync(join(ours, earlier), join(folder, earlier), { recursive: true });
  await migrate(url, folder);
  client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const row of before)
    await query(
      `INSERT INTO messages (id, device_id, status, unanswered, attempts, epoch, account_id, key_id, request_id, priority, recipient, body, network_message_id)
       VALUES ($1, $2, $3, $4::int, $4::int + 1, 1, 'acc', 'key', 'req', 1, '6281', 'text', 'N' || $1)`,
      [...row],
    );
  for (const next of [name, '20261124200200_one_sending_index'])
    cpSync(join(ours, next), join(folder, next), { recursive: true });
  await migrate(url, folder);
});
afterAll(async () => {
  await client.end();
  await dropDatabase(adminUrl, url);
  rmSync(folder, { recursive: true });
});

test('leaves the oldest message of each device; the others wait with one more try without an answer, and become unknown after three', async () => {
  const after = await query(
    `SELECT id, device_id, status, unanswered, reason, attempts - unanswered AS more FROM messages ORDER BY seq`,
  );
  const stays = { reason: null, more: 1 };
  const moved = { reason: 'no_answer', more: 0 };
  expect(after).toEqual([
    { id: 'a1', device_id: 'dev_a', status: 'sent', unanswered: 0, ...stays },
    { id: 'a2', device_id: 'dev_a', status: 'sending', unanswered: 0, ...stays },
    { id: 'a3', device_id: 'dev_a', status: 'queued', unanswered: 1, ...moved },
    { id: 'a4', device_id: 'dev_a', status: 'queued', unanswered: 2, ...moved },
    { id: 'a5', device_id: 'dev_a', status: 'unknown', unanswered: 3, ...moved },
    { id: 'a6', device_id: 'dev_a', status: 'queued', unanswered: 0, ...stays },
    { id: 'b1', device_id: 'dev_b', status: 'sending', unanswered: 2, ...stays },
    { id: 'c1', device_id: 'dev_c', status: 'queued', unanswered: 0, ...stays },
  ]);
});

test('writes an event for each message that it moved', async () => {
  expect(await query('SELECT message_id, status, reason FROM message_events ORDER BY message_id')).toEqual([
    { message_id: 'a3', status: 'queued', reason: 'no_answer' },
    { message_id: 'a4', status: 'queued', reason: 'no_answer' },
    { message_id: 'a5', status: 'unknown', reason: 'no_answer' },
  ]);
});

test('makes an index that a second message of a device violates', async () => {
  const begin = (id: string) => query(`UPDATE messages SET status = 'sending' WHERE id = $1`, [id]);
  await expect(begin('a6')).rejects.toMatchObject({ code: '23505', constraint: 'messages_one_sending_idx' });
  await expect(begin('c1')).resolves.toEqual([]);
});

/** The condition of the migration's wait, from its own text. */
const waits = /IF (EXISTS \([\s\S]*?\)) THEN PERFORM pg_sleep\(20\)/.exec(sql)?.[1] ?? '';

test.each([
  [`'wrk_1'`, '1 s', true],
  [`'wrk_1'`, '-1 s', false],
  ['NULL', '1 hour', false],
])('waits until the leases of earlier versions have ended: owner %s, for %s', async (owner, runs, expected) => {
  await query('DELETE FROM device_leases; DELETE FROM devices; DELETE FROM accounts');
  await query(`INSERT INTO accounts (id, name) VALUES ('acc', 'test');
    INSERT INTO devices (id, account_id, name, network) VALUES ('dev_a', 'acc', 'd', 'none');
    INSERT INTO device_leases (device_id, owner, epoch, expires_at) VALUES ('dev_a', ${owner}, 1, now() + interval '${runs}')`);
  expect(await query(`SELECT ${waits} AS waits`)).toEqual([{ waits: expected }]);
});
