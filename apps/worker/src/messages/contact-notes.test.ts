import { expect, test, vi } from 'vitest';
import { type ContactNotes, noContactNotes, rememberRecipients } from './contact-notes.js';

const MOST = 1_000;

/** Notes that record each recipient, and fail on demand. */
function countingNotes(): { notes: ContactNotes; written: string[]; fail: (failing: boolean) => void } {
  const written: string[] = [];
  let failing = false;
  const noteRecipient = async (recipient: string) => {
    written.push(recipient);
    if (failing) throw new Error('Postgres is away');
  };
  return { notes: { ...noContactNotes, noteRecipient }, written, fail: (value) => (failing = value) };
}

test('a connection notes a recipient once, and the next connection notes it again', async () => {
  const { notes, written } = countingNotes();
  const remembering = rememberRecipients(notes);
  for (const recipient of ['1', '2', '1', '1', '2']) await remembering.noteRecipient(recipient, 'A');
  expect(written).toEqual(['1', '2']);
  await rememberRecipients(notes).noteRecipient('1', 'A');
  expect(written).toEqual(['1', '2', '1']);
});

test('a connection that lasts notes a recipient again after a day, so that the contact does not age out', async () => {
  const { notes, written } = countingNotes();
  const remembering = rememberRecipients(notes);
  const now = vi.spyOn(performance, 'now');
  const hours = (count: number) => now.mockReturnValue(count * 3_600_000);
  for (const count of [0, 23, 25, 47, 50]) {
    hours(count);
    await remembering.noteRecipient('1', 'A');
  }
  now.mockRestore();
  expect(written).toEqual(['1', '1', '1']);
});

test('a recipient that Postgres did not store is noted with the next message', async () => {
  const { notes, written, fail } = countingNotes();
  const remembering = rememberRecipients(notes);
  fail(true);
  await expect(remembering.noteRecipient('1', 'A')).rejects.toThrow('away');
  fail(false);
  await remembering.noteRecipient('1', 'A');
  expect(written).toEqual(['1', '1']);
});

test('only so many recipients stay in memory: the oldest ones are noted again', async () => {
  const { notes, written } = countingNotes();
  const remembering = rememberRecipients(notes);
  for (let n = 0; n <= MOST; n++) await remembering.noteRecipient(String(n), 'A');
  await remembering.noteRecipient('1', 'A');
  expect(written).toHaveLength(MOST + 1);
  await remembering.noteRecipient('0', 'A');
  expect(written.at(-1)).toBe('0');
});

test('a receipt of a message whose contact is noted needs no query, and a failed query is repeated', async () => {
  const looked: string[] = [];
  let failing = true;
  const noteRecipientOf = async (id: string) => {
    looked.push(id);
    if (failing) throw new Error('Postgres is away');
  };
  const remembering = rememberRecipients({ ...noContactNotes, noteRecipient: async () => undefined, noteRecipientOf });
  await remembering.noteRecipient('1', 'A');
  await remembering.noteRecipientOf('A');
  await expect(remembering.noteRecipientOf('B')).rejects.toThrow('away');
  failing = false;
  await Promise.all([remembering.noteRecipientOf('B'), remembering.noteRecipientOf('B')]);
  expect(looked).toEqual(['B', 'B']);
});
