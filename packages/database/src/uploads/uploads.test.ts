import { randomBytes } from 'node:crypto';
import { limits, type UploadId } from '@kurir/contracts';
import { beforeEach, expect, test } from 'vitest';
import { type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { createUpload } from './create-upload.js';
import { forgetUploads } from './forget-uploads.js';
import { readUpload, readUploadBytes } from './read-upload.js';
import { storePart } from './store-part.js';

const fixture = useDatabaseFixture();
let tenant: Tenant;
beforeEach(async () => {
  tenant = await fixture().tenant();
});

async function create(bytes: number): Promise<UploadId> {
  const id = await createUpload(fixture().database, { accountId: tenant.accountId, fileName: 'a.csv', bytes });
  if (id === 'too-many') throw new Error(id);
  return id;
}

const store = (uploadId: UploadId, number: number, bytes: Buffer, { accountId } = tenant) =>
  storePart(fixture().database, { accountId, uploadId }, { number, bytes });
const view = (uploadId: UploadId, { accountId } = tenant) => readUpload(fixture().database, accountId, uploadId);

async function read(uploadId: UploadId): Promise<Buffer> {
  const slices: Buffer[] = [];
  for await (const slice of readUploadBytes(fixture().database, uploadId)) slices.push(slice);
  return Buffer.concat(slices);
}

test('parts in any order, some of them twice and at once, are the file', async () => {
  const file = randomBytes(2_000_000);
  const id = await create(file.length);
  const parts = [file.subarray(0, 700_000), file.subarray(700_000, 700_001), file.subarray(700_001)];
  const orders = [2, 0, 2, 1, 0];
  expect(await view(id)).toMatchObject({ parts: 0, receivedBytes: 0, hasBegun: false, isComplete: false });
  const stored = await Promise.all(orders.map((i) => store(id, i + 1, parts[i] ?? Buffer.alloc(0))));
  expect(new Set(stored)).toEqual(new Set(['stored']));
  expect(await view(id)).toMatchObject({ parts: 3, receivedBytes: file.length, hasBegun: true, isComplete: true });
  expect((await read(id)).equals(file)).toBe(true);
});

test('other bytes under the same number, and more bytes than the file has, are refused', async () => {
  const id = await create(4);
  expect(await store(id, 1, Buffer.from('ab'))).toBe('stored');
  expect(await store(id, 1, Buffer.from('xy'))).toBe('differs');
  expect(await store(id, 2, Buffer.from('cde'))).toBe('too-big');
  expect(await store(id, 3, Buffer.from('cd'))).toBe('stored');
  expect(await view(id)).toMatchObject({ receivedBytes: 4, isComplete: false });
  expect((await read(id)).toString()).toBe('ab');
});

test('another account can neither see an upload nor add to it', async () => {
  const id = await create(4);
  const other = await fixture().tenant();
  expect(await view(id, other)).toBeNull();
  expect(await store(id, 1, Buffer.from('ab'), other)).toBe('not-found');
});

test('an account keeps a limited number of uploads, and old ones go', async () => {
  const [first] = await Promise.all(Array.from({ length: limits.uploadsMax }, () => create(1)));
  if (first === undefined) throw new Error('no upload');
  await expect(create(1)).rejects.toThrow('too-many');
  await store(first, 1, Buffer.from('a'));
  await fixture().query(`UPDATE uploads SET created_at = now() - interval '25 hours' WHERE id = $1`, [first]);
  expect(await view(first)).toBeNull();
  expect(await forgetUploads(fixture().database, new AbortController().signal)).toBe(1);
  expect(await fixture().query('SELECT 1 FROM upload_parts WHERE upload_id = $1', [first])).toEqual([]);
  expect(await create(1)).toMatch(/^upl_/);
});
