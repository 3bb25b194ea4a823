import { describe, expect, test } from 'vitest';
import type { Entry } from '../../conversation-queries.js';
import { isAnswerable, type Line, linesOf, type Pending } from './chat-lines.js';

let last = 0;

function entryOf(changes: Partial<Entry>): Entry {
  last++;
  return {
    message_id: `inb_${last}`,
    direction: 'inbound',
    kind: 'message',
    job_id: null,
    status: null,
    reason: null,
    broadcast: null,
    priority: null,
    network_message_id: `N${last}`,
    from: { phone: '6281200000001', user_id: 'u1', username: null, name: 'Siti' },
    type: 'text',
    text: `text ${last}`,
    media: null,
    location: null,
    contacts: null,
    poll: null,
    raw_type: null,
    reply_to: null,
    target_id: null,
    emoji: null,
    forwarded: false,
    at: '2026-11-25T09:00:00.000Z',
    ...changes,
  };
}

const pendingOf = (changes: Partial<Pending>): Pending => ({
  ref: 'page-1',
  text: 'Siap',
  replyTo: null,
  at: '2026-11-25T09:05:00.000Z',
  jobId: null,
  failure: null,
  ...changes,
});

const shownOf = (lines: readonly Line[]) => lines.flatMap((line) => (line.kind === 'entry' ? [line.shown] : []));
const kindsOf = (lines: readonly Line[]) => lines.map(({ kind }) => kind);

test('messages stand oldest first, with a line for each day', () => {
  const [old, young] = [entryOf({ at: '2026-11-20T09:00:00.000Z' }), entryOf({})];
  const lines = linesOf([young, old], []);
  expect(kindsOf(lines)).toEqual(['day', 'entry', 'day', 'entry']);
  expect(shownOf(lines).map(({ entry }) => entry)).toEqual([old, young]);
});

test('a message that the network kept stands late, in the day of the younger ones', () => {
  const today = entryOf({ at: '2026-11-25T03:00:00.000Z' });
  const kept = entryOf({ at: '2026-11-24T03:00:00.000Z' });
  const lines = linesOf([entryOf({}), kept, today], []);
  expect(kindsOf(lines)).toEqual(['day', 'entry', 'entry', 'entry']);
  expect(shownOf(lines).map(({ isLate }) => isLate)).toEqual([false, true, false]);
  expect(new Set(lines.map(({ key }) => key)).size).toBe(lines.length);
});

test('only a message that has a place in the chat of the network can be replied to', () => {
  const own = { direction: 'outbound', job_id: 'msg_1', from: null } as const;
  const entries = [
    entryOf({}),
    entryOf({ network_message_id: null }),
    entryOf({ kind: 'undecryptable', type: null, text: null }),
    entryOf({ ...own, job_id: null }),
    ...(['queued', 'sent', 'read', 'failed'] as const).map((status) => entryOf({ ...own, status })),
  ];
  const answerable = shownOf(linesOf(entries.toReversed(), [])).map(isAnswerable);
  expect(answerable).toEqual([true, false, false, true, false, true, true, false]);
});

test('no messages make no lines', () => {
  expect(linesOf([], [])).toEqual([]);
});

describe('a message that is not the last word', () => {
  test('shows the text of its last edit', () => {
    const message = entryOf({ text: 'jam 5' });
    const edits = ['jam 6', 'jam 7'].map((text) => entryOf({ kind: 'edited', target_id: message.message_id, text }));
    const [shown, ...others] = shownOf(linesOf([...edits.toReversed(), message], []));
    expect(shown).toMatchObject({ text: 'jam 7', isEdited: true });
    expect(others).toEqual([]);
  });

  test('is deleted', () => {
    const message = entryOf({});
    const deletion = entryOf({ kind: 'deleted', type: null, text: null, target_id: message.message_id });
    expect(shownOf(linesOf([deletion, message], []))).toMatchObject([{ isDeleted: true }]);
  });

  test('shows the last reaction of each person, and none that was taken back', () => {
    const own = entryOf({ message_id: 'msg_1', direction: 'outbound', from: null });
    const react = (userId: string, emoji: string | null) =>
      entryOf({
        kind: 'reaction',
        type: null,
        text: null,
        target_id: 'msg_1',
        emoji,
        from: { phone: null, user_id: userId, username: null, name: null },
      });
    const reactions = [react('u1', '👍'), react('u2', '🎉'), react('u1', '🙏'), react('u2', null)];
    expect(shownOf(linesOf([...reactions.toReversed(), own], []))).toMatchObject([{ reactions: ['🙏'] }]);
  });
});

test('a change of a message that is not loaded has its own line', () => {
  const edit = entryOf({ kind: 'edited', target_id: 'inb_of_an_earlier_page', text: 'jam 7' });
  expect(shownOf(linesOf([edit], []))).toMatchObject([{ entry: edit, text: 'jam 7', isEdited: false }]);
});

describe('an own message that was just sent', () => {
  test('stands at the end until the gateway lists it, and then once', () => {
    const accepted = pendingOf({ jobId: 'msg_9' });
    expect(kindsOf(linesOf([entryOf({})], [accepted]))).toEqual(['day', 'entry', 'pending']);
    const listed = entryOf({ message_id: 'msg_9', job_id: 'msg_9', direction: 'outbound', from: null });
    expect(kindsOf(linesOf([listed, entryOf({})], [accepted]))).toEqual(['day', 'entry', 'entry']);
  });

  test('does not come back when the list has grown past it', () => {
    const younger = entryOf({ message_id: 'msg_8', job_id: 'msg_8', direction: 'outbound', from: null });
    expect(kindsOf(linesOf([younger], [pendingOf({ jobId: 'msg_7' })]))).toEqual(['day', 'entry']);
  });

  test('stays after a failure', () => {
    const failed = pendingOf({ failure: new Error('no quota') });
    expect(kindsOf(linesOf([], [failed]))).toEqual(['day', 'pending']);
  });
});
