import { expect, test } from 'vitest';
import { type ContactNotes, noContactNotes, rememberWritten } from './note-contacts.js';

const MOST = 1_000;

/** Notes that count what reaches them, and fail when told to. */
function countingNotes(): { notes: ContactNotes; written: string[]; fail: (failing: boolean) => void } {
  const written: string[] = [];
  let failing = false;
  const wrote = async (recipient: string) => {
    written.push(recipient);
    return !failing;
  };
  return { notes: { ...noContactNotes, wrote }, written, fail: (value) => (failing = value) };
}

test('whom a connection noted once is not noted again, and the next connection notes anew', async () => {
  const { notes, written } = countingNotes();
  const remembering = rememberWritten(notes);
  for (const recipient of ['1', '2', '1', '1', '2']) expect(await remembering.wrote(recipient)).toBe(true);
  expect(written).toEqual(['1', '2']);
  await rememberWritten(notes).wrote('1');
  expect(written).toEqual(['1', '2', '1']);
});

test('whom Postgres did not take is noted with the next message', async () => {
  const { notes, written, fail } = countingNotes();
  const remembering = rememberWritten(notes);
  fail(true);
  expect(await remembering.wrote('1')).toBe(false);
  fail(false);
  expect(await remembering.wrote('1')).toBe(true);
  expect(written).toEqual(['1', '1']);
});

test('a million recipients do not stay in memory: the oldest are noted again', async () => {
  const { notes, written } = countingNotes();
  const remembering = rememberWritten(notes);
  for (let n = 0; n <= MOST; n++) await remembering.wrote(String(n));
  await remembering.wrote('1');
  expect(written).toHaveLength(MOST + 1);
  await remembering.wrote('0');
  expect(written.at(-1)).toBe('0');
});
