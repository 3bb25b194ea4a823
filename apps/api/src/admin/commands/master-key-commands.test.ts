/** Changes the master key with the commands, on a database of its own. */
import { randomBytes } from 'node:crypto';
import { openDatabase } from '@kurir/database';
import { createTestDatabase } from '@kurir/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAdmin } from '../run-admin.js';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const makeKey = () => randomBytes(32).toString('base64');

async function admin(masterKey: string, ...args: string[]) {
  const lines: string[] = [];
  const say = (text: string) => void lines.push(text);
  const environment = { DATABASE_URL: database.url, KURIR_MASTER_KEY: masterKey };
  const code = await runAdmin(args, { environment, print: say, say });
  return { code, text: lines.join('\n') };
}

async function onDatabase(statement: string): Promise<void> {
  const opened = openDatabase({ url: database.url, poolSize: 1 });
  await opened.pool.query(statement);
  await opened.close();
}

test('the key is changed in steps, and afterwards only the new one is needed', async () => {
  const [present, next] = [makeKey(), makeKey()];
  expect((await admin(present, 'account', 'create', 'Toko')).code).toBe(0);
  expect((await admin(present, 'key', 'create', 'Toko')).code).toBe(0);
  const wrong = await admin(next, 'account', 'list');
  expect(wrong.code).toBe(1);
  expect(wrong.text).toMatch(/^KURIR_MASTER_KEY lacks the key [0-9a-f]{8}, under which the database holds records/);

  const listed = await admin(`${next},${present}`, 'master-key', 'list', '--json');
  expect(JSON.parse(listed.text)).toEqual([
    { key: expect.any(String), use: 'seals and opens', needed_by_database: true, a_process_seals_with_it: true },
    { key: expect.any(String), use: 'opens', needed_by_database: true, a_process_seals_with_it: true },
  ]);
  await onDatabase(`UPDATE master_keys SET used_at = now() - interval '1 minute'`);
  const { code, text } = await admin(`${next},${present}`, 'master-key', 'rewrap');
  expect(code, text).toBe(0);
  expect(text).toMatch(/api_key_secrets\.sealed: 1 boxes, 1 rewrapped/);
  expect(text).toMatch(/Every record is under [0-9a-f]{8}\. [0-9a-f]{8} may go\./);
  expect((await admin(next, 'key', 'list', 'Toko')).code).toBe(0);
  expect((await admin(present, 'account', 'list')).code).toBe(1);
});

test('a record under an unknown key stops the command before it changes anything', async () => {
  const [present, next] = [makeKey(), makeKey()];
  await onDatabase('TRUNCATE master_keys, accounts CASCADE');
  expect((await admin(present, 'account', 'create', 'Kedai')).code).toBe(0);
  expect((await admin(present, 'key', 'create', 'Kedai')).code).toBe(0);
  await onDatabase(`INSERT INTO account_keys (account_id, number, sealed) SELECT id, 1, '\\x03deadbeef' FROM accounts`);
  const lacking = await admin(`${next},${present}`, 'master-key', 'rewrap');
  expect(lacking).toMatchObject({ code: 1, text: expect.stringContaining('deadbeef') });
  expect(lacking.text).toContain('Nothing was changed');
});
