/**
 * The lines of a chat, oldest first: days, messages, and own messages that the gateway does not list yet. An edit, a
 * deletion or a reaction changes the message that it is about. If that message is not loaded, it has its own line.
 */
import type { Entry } from '../../conversation-queries.js';

/** A message that the page has begun to send. */
export type Pending = {
  /** Its `client_ref`: a second try with it is the same message. */
  readonly ref: string;
  readonly text: string;
  readonly replyTo: Entry | null;
  readonly at: string;
  /** Null until the gateway has accepted it. */
  readonly jobId: string | null;
  /** Why the gateway did not accept it. Null: it did, or it was not asked yet. */
  readonly failure: unknown;
};

/** The messages that the page has begun to send, and what a person may do with one that failed. */
export type Sends = {
  readonly pending: readonly Pending[];
  /** Sends the same message once more. */
  again(pending: Pending): void;
  discard(pending: Pending): void;
};

export type ShownEntry = {
  readonly entry: Entry;
  readonly text: string | null;
  readonly isEdited: boolean;
  readonly isDeleted: boolean;
  /** It is older than the day in which it stands. */
  readonly isLate: boolean;
  readonly reactions: readonly string[];
};

export type Line =
  | { readonly kind: 'day'; readonly key: string; readonly at: string }
  | { readonly kind: 'entry'; readonly key: string; readonly shown: ShownEntry }
  | { readonly kind: 'pending'; readonly key: string; readonly pending: Pending };

type Changes = { text?: string | null; isDeleted: boolean; reactions: Map<string, string> };

const about = (entry: Entry): string | null => (entry.kind === 'message' ? null : entry.target_id);

const reactorOf = ({ from, direction }: Entry): string => from?.user_id ?? from?.phone ?? direction;

function note(changes: Changes, entry: Entry): void {
  if (entry.kind === 'edited') changes.text = entry.text;
  if (entry.kind === 'deleted') changes.isDeleted = true;
  if (entry.kind !== 'reaction') return;
  if (entry.emoji === null) changes.reactions.delete(reactorOf(entry));
  else changes.reactions.set(reactorOf(entry), entry.emoji);
}

/** Local midnight. A message that the network kept may stand after younger ones, so days only go forward. */
const dayOf = (iso: string): number => new Date(iso).setHours(0, 0, 0, 0);

/** Ids begin with the time. So a list with a younger job has this one too, perhaps on a page that is not loaded. */
const isListed = ({ jobId }: Pending, entries: readonly Entry[]): boolean =>
  jobId !== null && entries.some(({ job_id: listed }) => listed !== null && listed >= jobId);

/** The statuses of a message that has a place in the chat of the network. Only such a message can be replied to. */
const placed: ReadonlySet<Entry['status']> = new Set([null, 'sent', 'delivered', 'read', 'unknown'] as const);

export const isAnswerable = ({ entry, isDeleted }: ShownEntry): boolean =>
  entry.kind === 'message' && !isDeleted && entry.network_message_id !== null && placed.has(entry.status);

/** `entries`: newest first, as the gateway lists them. */
export function linesOf(entries: readonly Entry[], pending: readonly Pending[]): Line[] {
  const oldestFirst = entries.toReversed();
  const changesOf = new Map<string, Changes>();
  for (const { message_id: id, kind } of oldestFirst)
    if (kind === 'message') changesOf.set(id, { isDeleted: false, reactions: new Map() });
  const standing: ShownEntry[] = [];
  for (const entry of oldestFirst) {
    const changed = changesOf.get(about(entry) ?? '');
    if (changed === undefined)
      standing.push({ entry, text: entry.text, isEdited: false, isDeleted: false, isLate: false, reactions: [] });
    else note(changed, entry);
  }
  const lines: Line[] = [];
  let day = 0;
  const add = (at: string, line: Line) => {
    if (dayOf(at) > day) lines.push({ kind: 'day', key: `day ${dayOf(at)}`, at });
    day = Math.max(day, dayOf(at));
    lines.push(line);
  };
  for (const { entry, ...plain } of standing) {
    const { text, isDeleted = false, reactions } = changesOf.get(entry.message_id) ?? {};
    const shown = {
      ...plain,
      entry,
      text: text === undefined ? entry.text : text,
      isEdited: text !== undefined,
      isDeleted,
      isLate: dayOf(entry.at) < day,
      reactions: [...new Set(reactions?.values())],
    };
    add(entry.at, { kind: 'entry', key: entry.message_id, shown });
  }
  for (const one of pending) if (!isListed(one, entries)) add(one.at, { kind: 'pending', key: one.ref, pending: one });
  return lines;
}
