import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changeKey } from '../../docker/change-key.mjs';

let folder;
let file;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kurir-key-'));
  file = join(folder, 'master_key');
  writeFileSync(file, 'OLD');
});
afterEach(() => rmSync(folder, { recursive: true }));

const read = (path = file) => readFileSync(path, 'utf8').split('\n');

test('the three steps change a key, keep the old one beside, and say no key', () => {
  const said = [changeKey(file, 'add')];
  const [first, added] = read();
  expect(first).toBe('OLD');
  expect(Buffer.from(added, 'base64')).toHaveLength(32);
  said.push(changeKey(file, 'swap'));
  expect(read()).toEqual([added, 'OLD']);
  said.push(changeKey(file, 'drop'));
  expect(read()).toEqual([added]);
  expect(read(`${file}.dropped`)).toEqual(['OLD']);
  expect(said.join()).not.toContain(added);
  expect(statSync(file).mode & 0o777).toBe(0o400);
});

test('a second change keeps the keys that were dropped before', () => {
  for (const step of ['add', 'swap', 'drop']) changeKey(file, step);
  const [second] = read();
  for (const step of ['add', 'swap', 'drop']) changeKey(file, step);
  expect(read(`${file}.dropped`)).toEqual(['OLD', second]);
});

test.each(['swap', 'drop', 'remove', undefined])('the step %s is refused while there is one key', (step) => {
  expect(() => changeKey(file, step)).toThrow();
  expect(read()).toEqual(['OLD']);
});

test('a key is not added twice, or to a file that does not exist', () => {
  changeKey(file, 'add');
  const before = read();
  expect(() => changeKey(file, 'add')).toThrow('Nothing was changed');
  expect(read()).toEqual(before);
  expect(() => changeKey(join(folder, 'other'), 'add')).toThrow('holds 0 keys');
});
