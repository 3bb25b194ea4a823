/** Reports of what people write, for the tests of conversations. */
import type { DeviceId, InboundId, InboundMessage, InboundReport, Person } from '@kurir/contracts';
import { waitUntil } from '@kurir/testing';
import { type InboundItem, type InboundOutcome, storeInbound } from '../src/conversations/store-inbound.js';
import { readEvents } from '../src/events/events.js';
import type { FeedEvent } from '../src/events/feed.js';
import { isKnown, showFeed } from '../src/events/show-event.js';
import type { DatabaseFixture, Tenant } from './database-fixture.js';
import { expectToFit } from './event-schema.js';

let written = 0;

export const nextNetworkId = (): string => `NET${String((written += 1)).padStart(8, '0')}`;

export const personOf = (userId: string, phone: string | null, name: string | null = null): Person => ({
  userId,
  phone,
  username: null,
  name,
});

/** A person of whom the network shows both. */
export const budi = personOf('lid:111', '6281200000111', 'Budi');
/** A person who hides the number. */
export const siti = personOf('lid:222', null, 'Siti');

export const everyReport = (person: Person, networkMessageId = nextNetworkId()) => ({
  chat: { id: person.userId, type: 'direct' as const },
  person,
  networkMessageId,
  sentAt: new Date('2026-11-25T08:00:00.000Z'),
  offline: false,
});

export const textFrom = (person: Person, text: string, more: Partial<InboundMessage> = {}): InboundMessage => ({
  ...everyReport(person),
  kind: 'message',
  content: { type: 'text', text },
  replyTo: null,
  forwarded: false,
  ...more,
});

export const undecryptableFrom = (person: Person, networkMessageId = nextNetworkId()): InboundReport => ({
  ...everyReport(person, networkMessageId),
  kind: 'undecryptable',
});

export type ConversationRow = {
  readonly id: string;
  readonly chat_id: string;
  readonly user_id: string | null;
  readonly phone: string | null;
  readonly alias_of: string | null;
  readonly unread: number;
};

export function inboundOn(fixture: () => DatabaseFixture) {
  const store = (deviceId: DeviceId, ...reports: InboundItem['report'][]): Promise<InboundOutcome[]> =>
    storeInbound(
      fixture().database,
      fixture().accountKeys,
      reports.map((report) => ({ deviceId, report, notesContact: true })),
    );
  const conversations = (deviceId: DeviceId) =>
    fixture().query<ConversationRow>(
      'SELECT id, chat_id, user_id, phone, alias_of, unread FROM conversations WHERE device_id = $1 ORDER BY id',
      [deviceId],
    );
  /** The events of conversations, as programs see them. */
  async function events({ accountId }: Pick<Tenant, 'accountId'>) {
    const [{ n } = { n: 0 }] = await fixture().query<{ n: number }>(
      'SELECT count(*)::int AS n FROM events WHERE account_id = $1',
      [accountId],
    );
    const read = () => readEvents(fixture().database, [accountId], { generation: 0n, xid: 0n, seq: 0n }, 10_000);
    // Events wait for older transactions of other tests.
    const page = await waitUntil(
      async () => {
        const found = await read();
        return found.events.length === n && found;
      },
      { what: 'the log shows every event' },
    );
    const isOfConversation = (event: (typeof page.events)[number]): event is FeedEvent =>
      event.subjectId.startsWith('cnv_') && event.sequence !== null;
    const known = page.events.filter(isOfConversation).filter(isKnown);
    const shown = await showFeed(fixture().database, fixture().accountKeys, known);
    for (const event of shown) expectToFit(event);
    return shown;
  }
  const rows = (deviceId: DeviceId) =>
    fixture().query<{ id: InboundId; kind: string; sealed: Buffer | null }>(
      'SELECT * FROM inbound_messages WHERE device_id = $1 ORDER BY id',
      [deviceId],
    );
  return { store, conversations, events, rows };
}
