import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Journal } from './journal.js';
import type { JournalEntry } from './journal-entry.js';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kurir-journal-'));
  file = join(folder, 'journal.jsonl');
});

afterEach(() => rmSync(folder, { recursive: true }));

function inbound(text: string) {
  return { kind: 'inbound', network_message_id: 'SIM1', from: '6281', recipient: '6282', text } as const;
}

async function replay(): Promise<{ journal: Journal; entries: JournalEntry[] }> {
  const entries: JournalEntry[] = [];
  const journal = await Journal.open(file, (entry) => entries.push(entry));
  return { journal, entries };
}

test('an incomplete last line is cut off, and the next entry takes its number', async () => {
  const { journal } = await replay();
  journal.append(inbound('satu'));
  journal.close();
  appendFileSync(file, Buffer.from('{"n":2,"at":"🔐').subarray(0, -2));
  const second = await replay();
  expect(second.entries.map(({ n }) => n)).toEqual([1]);
  expect(second.journal.append(inbound('dua')).n).toBe(2);
  second.journal.close();
  const third = await replay();
  expect(third.entries).toMatchObject([{ text: 'satu' }, { text: 'dua' }]);
  third.journal.close();
});

test.each([
  ['no JSON', 'rubbish\n'],
  ['an unknown kind', '{"n":1,"at":"","kind":"dream"}\n'],
  ['a number that is not the next', '{"n":2,"at":"","kind":"lift_ban","number":"6281"}\n'],
])('a complete line with %s is not skipped: opening fails and names the line', async (_, line) => {
  writeFileSync(file, line);
  await expect(replay()).rejects.toThrow('line 1 of the journal');
});

test('earlier entries are in the file before the callback of afterWrite runs', async () => {
  const { journal } = await replay();
  journal.append(inbound('satu'));
  const atCallback = await new Promise<string>((resolve) => {
    journal.afterWrite(() => resolve(readFileSync(file, 'utf8')));
  });
  expect(atCallback).toContain('satu');
  journal.close();
});

test('text with line separators inside stays one line', async () => {
  const text = 'satu\n\r\n\u2028dua\u2029';
  const { journal } = await replay();
  journal.append(inbound(text));
  journal.close();
  const second = await replay();
  expect(second.entries).toMatchObject([{ text }]);
  expect((await second.journal.read(0, 10)).lines).toHaveLength(1);
  second.journal.close();
});

test('pages start anywhere in a long journal, live and after a reload', async () => {
  const { journal } = await replay();
  for (let i = 1; i <= 2_500; i += 1) journal.append(inbound(`pesan ${i} 🔐`));
  await expectPages(journal);
  journal.close();
  const second = await replay();
  await expectPages(second.journal);
  second.journal.close();
});

async function expectPages(journal: Journal): Promise<void> {
  for (const after of [0, 999, 1_000, 1_001, 1_999, 2_498]) {
    const { lines, nextAfter } = await journal.read(after, 2);
    const expected = [after + 1, after + 2];
    expect(lines.map((line) => (JSON.parse(line) as { n: number }).n)).toEqual(expected);
    expect(nextAfter).toBe(after + 2);
  }
  expect(await journal.read(2_500, 10)).toEqual({ lines: [], nextAfter: 2_500 });
  expect(await journal.read(9_999, 10)).toEqual({ lines: [], nextAfter: 2_500 });
}
