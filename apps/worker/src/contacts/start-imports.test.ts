/** Tests of whole workers with imports. */
import { waitUntil } from '@kurir/testing';
import { expect, test } from 'vitest';
import { ImportFixture } from '../../test/import-fixture.js';
import { useWorkerFixture } from '../../test/worker-fixture.js';

const fixture = useWorkerFixture();
const imports = new ImportFixture(() => fixture().database);

const rows = (count: number) =>
  `HP,Nama\n${Array.from({ length: count }, (_none, i) => `0812${String(10_000_000 + i)},n${i}`).join('\n')}\n`;

test('two workers share the imports of two accounts, and each row is imported once', async () => {
  const accounts = [await imports.account(), await imports.account()];
  const begun = await Promise.all(
    accounts.flatMap((account) => [rows(5_000), rows(5_001)].map((file) => imports.begin(account, file))),
  );
  fixture().startWorker();
  fixture().startWorker();
  const read = () => Promise.all(begun.map((one) => imports.read(one)));
  await waitUntil(async () => (await read()).every(({ endedAt }) => endedAt !== null), { what: 'all imports end' });
  const ended = await read();
  expect(ended.map(({ state, rows: done }) => [state, done])).toEqual(
    [5_000, 5_001, 5_000, 5_001].map((count) => ['done', count]),
  );
  const added = [ended.slice(0, 2), ended.slice(2)].map((own) => own.reduce((sum, one) => sum + one.added, 0));
  expect(added).toEqual([5_001, 5_001]);
});

test('a worker that stops gives its import back, and another one ends it', async () => {
  const begun = await imports.begin(await imports.account(), rows(40_000));
  const first = fixture().startWorker();
  await waitUntil(async () => (await imports.read(begun)).rows > 0, { what: 'the first batch is stored' });
  await first.stop();
  const left = await imports.read(begun);
  expect(left.endedAt === null || left.state === 'done').toBe(true);
  fixture().startWorker();
  await waitUntil(async () => (await imports.read(begun)).endedAt !== null, { what: 'the import ends' });
  expect(await imports.read(begun)).toMatchObject({ state: 'done', rows: 40_000, added: 40_000 });
});
