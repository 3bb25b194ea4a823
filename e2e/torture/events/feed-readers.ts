/** Programs that read the feed page by page through all faults, each from its own cursor. */
import { setTimeout as sleep } from 'node:timers/promises';
import { signRequest } from '@kurir/signing';
import type { AttackedAccount } from '../processes/attacked-accounts.js';
import { type DeliveryLog, deliveryOf, type ShownEvent } from '../records/delivery-log.js';

type Page = { readonly events: readonly ShownEvent[]; readonly next_cursor: string; readonly has_more: boolean };

const answeredWithinMs = 30_000;
const pauseMs = 300;
const gone = 410;

export type FeedReaders = {
  /** How often each reader was told that its cursor had expired. Then it began again. */
  readonly expirations: readonly number[];
  /** Resolves when each reader has come to the end of the feed once more. */
  untilRead(): Promise<void>;
  stop(): Promise<void>;
};

async function readPage(port: number, account: AttackedAccount, after: string): Promise<Page | 'expired' | null> {
  const target = `/api/v1/events?after=${after}&limit=500&wait=2`;
  const timestamp = String(Date.now());
  const signature = signRequest({ method: 'GET', target, timestamp, body: '', secret: account.apiSecret });
  const headers = { 'X-API-Key': account.apiKey, 'X-Timestamp': timestamp, 'X-Signature': signature };
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${target}`, {
      headers,
      signal: AbortSignal.timeout(answeredWithinMs),
    });
    if (answer.status === gone) return 'expired';
    if (!answer.ok) return null;
    const { data } = (await answer.json()) as { data: Page };
    return data;
  } catch {
    return null;
  }
}

export function startFeedReaders(
  accounts: readonly (readonly [number, AttackedAccount])[],
  ports: readonly number[],
  log: DeliveryLog,
): FeedReaders {
  const ended = new AbortController();
  /** How often each reader came to the end of the feed. */
  const ends = accounts.map(() => 0);
  const expirations = accounts.map(() => 0);

  async function follow(reader: number, index: number, account: AttackedAccount): Promise<void> {
    let after = 'earliest';
    for (let turn = index; !ended.signal.aborted; turn++) {
      const page = await readPage(ports[turn % ports.length] ?? 0, account, after);
      if (page === null) {
        await sleep(pauseMs);
        continue;
      }
      if (page === 'expired') {
        expirations[reader] = (expirations[reader] ?? 0) + 1;
        after = 'earliest';
        continue;
      }
      for (const event of page.events) log.add(deliveryOf(index, event, JSON.stringify(event)));
      after = page.next_cursor;
      if (!page.has_more && page.events.length === 0) ends[reader] = (ends[reader] ?? 0) + 1;
    }
  }

  const running = accounts.map(([index, account], reader) => follow(reader, index, account));
  return {
    expirations,
    async untilRead() {
      const before = [...ends];
      while (ends.some((count, i) => count < (before[i] ?? 0) + 2)) await sleep(pauseMs);
    },
    async stop() {
      ended.abort();
      await Promise.all(running);
    },
  };
}
