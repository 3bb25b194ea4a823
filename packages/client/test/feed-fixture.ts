/** A feed that a test fills while a reader waits, as the long poll of the gateway does. */
import type { DataOf } from '@kurir/contracts';
import type { Gateway } from './gateway-fixture.js';

type Page = DataOf<'listEvents'>;
export type TestFeed = {
  push(...events: Page['events']): void;
  /** Gives the waiting reader an empty page. */
  end(): void;
};

export function startFeed(gateway: Gateway): TestFeed {
  const events: Page['events'] = [];
  const waiting: (() => void)[] = [];
  const wake = () => {
    for (const go of waiting.splice(0)) go();
  };
  gateway.answer({
    async listEvents({ target }) {
      const after = new URL(target, gateway.baseUrl).searchParams.get('after') ?? '';
      const from = /^\d+$/.test(after) ? Number(after) : 0;
      if (from >= events.length) await new Promise<void>((resolve) => waiting.push(resolve));
      const next = String(Math.max(from, events.length));
      return { events: events.slice(from), next_cursor: next, has_more: false };
    },
  });
  return {
    push(...more) {
      events.push(...more);
      wake();
    },
    end: wake,
  };
}

const at = '2026-11-21T09:00:00.000Z';
let count = 0;

type Received = Extract<Page['events'][number], { type: 'message.received' }>;
export type ReceivedData = Received['data'];
type Changed = Partial<Omit<ReceivedData, 'from'>> & { readonly from?: Partial<ReceivedData['from']> };

/** A message that Budi wrote. */
export function receivedEvent({ from, ...changed }: Changed = {}): Received {
  count++;
  return {
    id: `evt_cnv_1_${count}_1`,
    type: 'message.received',
    created_at: at,
    device_id: 'dev_1',
    subject: { type: 'conversation', id: 'cnv_1' },
    sequence: count,
    data: {
      message_id: 'inb_1',
      network_message_id: '3EB0BB',
      device_id: 'dev_1',
      chat: { id: 'cnv_1', type: 'direct' },
      sent_at: at,
      received_at: at,
      from: { phone: '6281234567890', user_id: 'lid:2515', username: null, name: 'Budi', ...from },
      type: 'text',
      text: 'Halo',
      media: null,
      location: null,
      contacts: null,
      poll: null,
      raw_type: null,
      reply_to: null,
      forwarded: false,
      offline: false,
      ...changed,
    },
  };
}
