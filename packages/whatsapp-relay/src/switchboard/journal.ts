/**
 * A record of everything that the relay saw, in order and in memory. Tests read it instead of guessing: how many
 * queries a send cost, for which devices a message was encrypted, what a client acknowledged. Devices are named
 * `number:device`.
 */
import type { QueryKind } from '../wire/query-kind.js';
import type { Rule } from '../rules/refusal.js';
import { Sequence } from './sequence.js';

export type MessageOutcome =
  | 'acknowledged'
  | 'refused'
  | 'swallowed-before-acknowledgement'
  | 'swallowed-after-acknowledgement'
  | 'delivered-without-acknowledgement';

export type JournalEvent =
  | { readonly kind: 'pairing'; readonly method: 'qr' | 'pairing_code' }
  | { readonly kind: 'linked'; readonly device: string; readonly method: 'qr' | 'pairing_code' }
  | { readonly kind: 'login'; readonly device: string; readonly refused: string | null }
  | { readonly kind: 'disconnected'; readonly device: string }
  | { readonly kind: 'unlinked'; readonly device: string; readonly by: 'companion' | 'phone' }
  | {
      readonly kind: 'message';
      readonly device: string;
      readonly id: string;
      /** The number of the recipient; null when no account has the address. */
      readonly recipient: string | null;
      /** The address of the recipient, as the stanza has it. */
      readonly address: string;
      /** `peer_recipient_pn`: the phone number of a LID, as the sender knows it. */
      readonly recipientAddress: string | null;
      readonly token: 'tctoken' | 'cstoken' | null;
      /** Whether it has one bare `<enc>`, as resends and messages to the own phone have. */
      readonly isSingle: boolean;
      /**
       * The devices that the message was encrypted for. `encryption` tells a new session (`pkmsg`) from a known one
       * (`msg`).
       */
      readonly copies: readonly { readonly device: string; readonly encryption: string }[];
      readonly outcome: MessageOutcome;
      readonly error: number | null;
      /** The rule that the message broke; null if it broke none, or if an armed fault decided. */
      readonly rule: Rule | null;
    }
  | {
      readonly kind: 'query';
      readonly device: string;
      readonly query: QueryKind;
      /** The numbers or devices that the query names; for an unknown query its name space. */
      readonly about: readonly string[];
      readonly oneTimePreKeysUsed: number;
      readonly answer: 'answered' | 'refused' | 'silence';
    }
  | {
      readonly kind: 'receipt';
      readonly device: string;
      readonly ids: readonly string[];
      /** The type of the receipt; `delivered` for a plain one. */
      readonly type: string;
      readonly recipient: string | null;
    }
  | {
      readonly kind: 'chat-state';
      readonly device: string;
      readonly recipient: string | null;
      readonly address: string;
      readonly state: string;
    }
  | { readonly kind: 'presence'; readonly device: string; readonly type: string }
  | { readonly kind: 'upload'; readonly path: string; readonly bytes: number }
  | { readonly kind: 'download'; readonly path: string; readonly found: boolean }
  | {
      readonly kind: 'acknowledgement';
      /** Null while the client is not linked yet. */
      readonly device: string | null;
      readonly of: string;
      readonly id: string;
      readonly error: string | null;
    };

export type JournalEntry = JournalEvent & { readonly position: number; readonly at: Date };

export type JournalScope = {
  /** A number, for all its devices, or one device as `number:device`. */
  readonly from?: string;
  /** Only the entries after this `journal.position`. */
  readonly since?: number;
};

export type JournalCounters = {
  readonly messages: number;
  /** Encrypted copies of all messages, for all devices. */
  readonly copies: number;
  /** Copies that opened a new Signal session. */
  readonly newSessions: number;
  readonly queries: number;
  readonly usyncQueries: number;
  readonly preKeyFetches: number;
  readonly oneTimePreKeysUsed: number;
  readonly receipts: number;
  readonly retryReceipts: number;
};

export class Journal {
  private readonly recorded = new Sequence<JournalEntry>('journal');

  /** Grows with every entry. Pass it as `since` to see only later entries. */
  get position(): number {
    return this.recorded.all.length;
  }

  record(event: JournalEvent): void {
    this.recorded.add({ ...event, position: this.position + 1, at: new Date() });
  }

  entries(scope: JournalScope = {}): readonly JournalEntry[] {
    return this.recorded.all.filter((entry) => inScope(entry, scope));
  }

  of<Kind extends JournalEvent['kind']>(
    kind: Kind,
    scope: JournalScope = {},
  ): readonly Extract<JournalEntry, { kind: Kind }>[] {
    return this.entries(scope).filter((entry): entry is Extract<JournalEntry, { kind: Kind }> => entry.kind === kind);
  }

  counters(scope: JournalScope = {}): JournalCounters {
    const messages = this.of('message', scope);
    const queries = this.of('query', scope);
    const receipts = this.of('receipt', scope);
    const copies = messages.flatMap((message) => message.copies);
    return {
      messages: messages.length,
      copies: copies.length,
      newSessions: copies.filter((copy) => copy.encryption === 'pkmsg').length,
      queries: queries.length,
      usyncQueries: queries.filter((entry) => entry.query === 'usync').length,
      preKeyFetches: queries.filter((entry) => entry.query === 'pre-key-fetch').length,
      oneTimePreKeysUsed: queries.reduce((sum, entry) => sum + entry.oneTimePreKeysUsed, 0),
      receipts: receipts.length,
      retryReceipts: receipts.filter((entry) => entry.type === 'retry').length,
    };
  }

  /** The first entry that fits, among those recorded and those to come. Rejects after `deadlineMs`. */
  when(wanted: (entry: JournalEntry) => boolean, deadlineMs?: number): Promise<JournalEntry> {
    return this.recorded.when(wanted, deadlineMs);
  }
}

function inScope(entry: JournalEntry, { from, since = 0 }: JournalScope): boolean {
  if (entry.position <= since) return false;
  if (from === undefined) return true;
  const device = 'device' in entry ? entry.device : null;
  return device !== null && (device === from || device.startsWith(`${from}:`));
}
