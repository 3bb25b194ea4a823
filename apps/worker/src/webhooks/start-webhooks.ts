/** Starts the sending of webhooks in a worker. A signal says that the log has grown; without one, it is read anyway. */
import { onLiveSignal, type QueueConnection } from '@kurir/queue';
import { repeat } from '../sweep/chores.js';
import { createRounds } from './rounds.js';
import { WebhookReaders, type WebhookReadersOptions } from './webhook-readers.js';

const renewEveryMs = 3_000;
const balanceEveryMs = 1_000;
const fenceEveryMs = 500;
const persistEveryMs = 250;
const retriesEveryMs = 1_000;
/** The log is read this often without a signal. */
const readEveryMs = 500;

export type WebhooksOptions = Omit<WebhookReadersOptions, 'onHungry' | 'onRetryFree'> & {
  readonly queue: QueueConnection;
};

/** Returns the function that hands the webhooks over and ends. */
export function startWebhooks({ queue, ...options }: WebhooksOptions): () => Promise<void> {
  const { log } = options;
  const readers: WebhookReaders = new WebhookReaders({
    ...options,
    onHungry: () => readOn(),
    onRetryFree: () => readRetries(),
  });
  const readOn = createRounds(
    async () => {
      if (readers.size > 0 && (await readers.readRound())) readOn();
    },
    (err) => log.warn({ err }, 'events for webhooks not read, will be tried again'),
  );
  const readRetries = createRounds(
    () => readers.readRetries(),
    (err) => log.warn({ err }, 'retries of webhooks not read, will be tried again'),
  );

  const chores = [
    { name: 'renew webhooks', everyMs: renewEveryMs, run: () => readers.renew() },
    { name: 'balance webhooks', everyMs: balanceEveryMs, run: () => readers.balance() },
    { name: 'fence webhooks', everyMs: fenceEveryMs, run: async () => readers.fenceIfStale() },
    { name: 'store cursors', everyMs: persistEveryMs, run: () => readers.persist() },
    { name: 'retry webhooks', everyMs: retriesEveryMs, run: async () => readRetries() },
    { name: 'read for webhooks', everyMs: readEveryMs, run: async () => readOn() },
  ];
  const stops = chores.map((chore) => repeat(chore, log));
  onLiveSignal(queue, readOn).catch((err: unknown) => log.warn({ err }, 'the live signal is not received'));

  return async () => {
    for (const stop of stops) stop();
    await readers.stop();
  };
}
