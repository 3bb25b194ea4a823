/**
 * The entries of the journal, one line of JSON each. The network's state is a fold over them (network-state.ts), so an
 * entry holds everything that the state needs after a restart. `GET /journal` returns the same lines.
 */
import { z } from 'zod';
import { personReport } from '../../protocol/person-report.js';

const stamp = { n: z.number().int().positive(), at: z.string() };
const socketOf = { device_id: z.string(), epoch: z.string(), socket: z.number().int() };
const messageOf = { network_message_id: z.string(), recipient: z.string() };

export const journalEntry = z.discriminatedUnion('kind', [
  /** A frame that the network accepted. `repeat`: the same number had sent this id to this recipient before. */
  z.object({
    ...stamp,
    kind: z.literal('message'),
    ...socketOf,
    ...messageOf,
    from: z.string(),
    text: z.string(),
    repeat: z.boolean(),
  }),
  /** A frame that the network refused. */
  z.object({ ...stamp, kind: z.literal('refused'), ...socketOf, ...messageOf, reason: z.string() }),
  /**
   * Events (receipts, inbound messages) that the device settled; the network does not send them again. One event each;
   * entries of older journals have several.
   */
  z.object({ ...stamp, kind: z.literal('settled'), device_id: z.string(), events: z.array(z.number().int()) }),
  /** A person wrote to the number of a linked device, or did something else in the chat. */
  z.object({
    ...stamp,
    kind: z.literal('inbound'),
    ...messageOf,
    from: z.string(),
    text: z.string(),
    report: personReport.optional(),
  }),
  z.object({ ...stamp, kind: z.literal('login'), ...socketOf, number: z.string() }),
  /** A login or an injected conflict ended this older socket. */
  z.object({ ...stamp, kind: z.literal('kick'), ...socketOf }),
  z.object({ ...stamp, kind: z.literal('disconnect'), ...socketOf }),
  z.object({
    ...stamp,
    kind: z.literal('link'),
    device_id: z.string(),
    number: z.string(),
    token_sha256: z.string(),
  }),
  z.object({
    ...stamp,
    kind: z.literal('unlink'),
    device_id: z.string(),
    number: z.string(),
    by: z.enum(['device', 'phone', 'relinked', 'not_stored']),
  }),
  /** The number is banned. `until` (unix time in ms) is null for a ban forever. */
  z.object({ ...stamp, kind: z.literal('ban'), number: z.string(), until: z.number().int().nullable() }),
  z.object({ ...stamp, kind: z.literal('lift_ban'), number: z.string() }),
  z.object({ ...stamp, kind: z.literal('phones'), numbers: z.array(z.string()) }),
  /** An injected fault took effect. */
  z.object({ ...stamp, kind: z.literal('fault'), fault: z.string(), device_id: z.string().nullable() }),
]);

export type JournalEntry = z.infer<typeof journalEntry>;
export type JournalEntryOf<K extends JournalEntry['kind']> = Extract<JournalEntry, { kind: K }>;

type Unstamped<Entry> = Entry extends JournalEntry ? Omit<Entry, 'n' | 'at'> : never;
/** An entry without its number and time. */
export type NewJournalEntry = Unstamped<JournalEntry>;
