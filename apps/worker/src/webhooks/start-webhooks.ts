/** Starts the sending of webhooks in a worker. A signal says that the log has grown; without one, it is read anyway. */
import { onLiveSignal, type QueueConnection } from '@kurir/queue';
import { repeat } from '../sweep/chores.js';
import { WebhookReaders, type WebhookReadersOptions } from './webhook-readers.js';

const renewEveryMs = 3_000;
const balanceEveryMs = 1_000;
const fenceEveryMs = 500;
const persistEveryMs = 250;
const retriesEveryMs = 1_000;
/** The log is read this often without a signal. */
const readEveryMs = 500;

export type WebhooksOptions = Omit<WebhookReadersOptions, 'onHungry'> & { readonly queue: QueueConnection };

/** Returns the function that hands the webhooks over and ends. */
export function startWebhooks({ queue, ...options }: WebhooksOptions): () => Promise<void> {
  const { log } = options;
  const readers: WebhookReaders = new WebhookReaders({ ...options, onHungry: () => wake() });
  let isReading = false;
  let again = false;

  /** One round at a time. A wake-up during a round makes one more. */
  function wake(): void {
    again = true;
    if (isReading) return;
    isReading = true;
    void readAll().finally(() => {
      isReading = false;
    });
  }

  async function readAll(): Promise<void> {
    while (again && readers.size > 0) {
      again = false;
      try {
        if (await readers.readRound()) again = true;
      } catch (err) {
        log.warn({ err }, 'events for webhooks not read, will be tried again');
        return;
      }
    }
  }

  const chores = [
    { name: 'renew webhooks', everyMs: renewEveryMs, run: () => readers.renew() },
    { name: 'balance webhooks', everyMs: balanceEveryMs, run: () => readers.balance() },
    { name: 'fence webhooks', everyMs: fenceEveryMs, run: async () => readers.fenceIfStale() },
    { name: 'store cursors', everyMs: persistEveryMs, run: () => readers.persist() },
    { name: 'retry webhooks', everyMs: retriesEveryMs, run: () => readers.readRetries() },
    { name: 'read for webhooks', everyMs: readEveryMs, run: async () => wake() },
  ];
  const stops = chores.map((chore) => repeat(chore, log));
  onLiveSignal(queue, wake).catch((err: unknown) => log.warn({ err }, 'the live signal is not received'));

  return async () => {
    for (const stop of stops) stop();
    await readers.stop();
  };
}
