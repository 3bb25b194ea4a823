/** The migration from mails about linked numbers to notices of every kind. */
import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dropDatabase, waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../postgres/connect.js';
import { migrate } from '../postgres/migrate.js';
import { collectNotices } from './collect-notices.js';

const adminUrl = process.env['KURIR_TEST_ADMIN_URL'] ?? '';
const ours = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url));
const name = '20261125210000_notice_kinds';

let url: string;
let folder: string;
let database: Database;

const query = async <Row extends object>(text: string) => (await database.pool.query<Row>(text)).rows;

beforeAll(async () => {
  const fresh = new URL(adminUrl);
  fresh.pathname = `/kurir_test_notices_${randomBytes(6).toString('hex')}`;
  url = fresh.href;
  folder = mkdtempSync(join(tmpdir(), 'kurir-migrations-'));
  for (const earlier of readdirSync(ours).filter((entry) => entry < name && !entry.endsWith('.toml')))
    cpSync(join(ours, earlier), join(folder, earlier), { recursive: true });
  await migrate(url, folder);
  database = openDatabase({ url, poolSize: 2 });
  await query(`INSERT INTO accounts (id, name) VALUES ('acc', 'Toko')`);
  for (const [id, role] of [
    ['usr_owner', 'owner'],
    ['usr_developer', 'developer'],
  ]) {
    await query(`INSERT INTO users (id, email, name) VALUES ('${id}', '${id}@example.com', 'Siti')`);
    await query(`INSERT INTO members (account_id, user_id, role) VALUES ('acc', '${id}', '${role}')`);
  }
  // One was read already, one waits in the log, one is a day old, and one is of a person who left.
  await query(`INSERT INTO notices (account_id, user_id, kind, device_id, at) VALUES
    ('acc', 'usr_owner', 'device.linked', 'dev_read', now()), ('acc', 'usr_gone', 'device.linked', 'dev_read', now())`);
  for (const [kind, device, age] of [
    ['device.linked', 'dev_waits', '1 minute'],
    ['device.linked', 'dev_old', '2 days'],
    ['quota.low', null, '1 minute'],
    ['device.state_changed', 'dev_away', '10 minutes'],
  ])
    await query(`INSERT INTO events (account_id, generation, device_id, subject_id, kind, state, at)
      VALUES ('acc', event_generation(), ${device === null ? 'NULL' : `'${device}'`}, '${device ?? 'acc'}', '${kind}', 'connecting', now() - interval '${age}')`);
  // Statements of other files in this cluster may hold the log back.
  const isReadable = async () => {
    const [row] = await query<{ past: boolean }>(
      'SELECT bool_and(xid < pg_snapshot_xmin(pg_current_snapshot())) AS past FROM events',
    );
    return row?.past ?? false;
  };
  await waitUntil(isReadable, { what: 'the log is readable to its end', timeoutMs: 30_000 });
  cpSync(join(ours, name), join(folder, name), { recursive: true });
  await migrate(url, folder);
  // Statements of today need the columns of today.
  await migrate(url, ours);
});
afterAll(async () => {
  await database.close();
  await dropDatabase(adminUrl, url);
  rmSync(folder, { recursive: true });
});

test('keeps the mails that wait, makes those of numbers that nobody had read, and tells nothing else of the past', async () => {
  await collectNotices(database);
  const made = 'SELECT user_id, kind, subject_id, due_at IS NOT NULL AS due FROM notices ORDER BY id';
  expect(await query(made)).toEqual([
    { user_id: 'usr_owner', kind: 'device.linked', subject_id: 'dev_read', due: true },
    { user_id: 'usr_owner', kind: 'device.linked', subject_id: 'dev_waits', due: true },
  ]);
});

test('keeps out apis of the earlier version', async () => {
  await expect(query('SELECT 1 FROM notice_cursor')).rejects.toMatchObject({ code: '42P01' });
  await expect(query('SELECT device_id FROM notices')).rejects.toMatchObject({ code: '42703' });
});
