/** Receivers of webhooks and readers of the feed, beside an attack, and their record at its end. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@kurir/database';
import { createRandom } from '../plan/random.js';
import type { AttackedSystem } from '../processes/attacked-system.js';
import { type EventRecord, readLog } from '../records/event-record.js';
import { attackedWebhooks, openAttackedWebhooks, settleWebhooks } from './attacked-webhooks.js';
import { openDeliveryLog } from '../records/delivery-log.js';
import { startFeedReaders } from './feed-readers.js';
import { startReceivers } from './receivers.js';

export type WatchedEvents = {
  /** How many events the webhooks have taken. */
  deliveries(): number;
  /** Waits until nothing more comes, or for some minutes, and returns the record. */
  settle(tell: (waiting: number) => void): Promise<EventRecord>;
  stop(): Promise<void>;
};

const feedAccounts: readonly number[] = [0, 3];
const settledWithinMs = 240_000;
const everyMs = 2_000;

type Account = readonly [number, string];

/** The ids of the events from before the webhooks. A resumed run reads those of its beginning. */
async function readBefore(database: Database, accounts: readonly Account[], path: string): Promise<Set<string>> {
  if (!existsSync(path)) {
    const logged = await readLog(database, accounts);
    writeFileSync(path, JSON.stringify(logged.map(({ id }) => id)));
  }
  // This program wrote the file.
  return new Set(JSON.parse(readFileSync(path, 'utf8')) as string[]);
}

export async function watchEvents(system: AttackedSystem, directory: string, seed: string): Promise<WatchedEvents> {
  const { accounts, gateway, servers } = system;
  const [webhooks, feed] = ['webhooks', 'feed'].map((name) => openDeliveryLog(join(directory, `${name}.jsonl`)));
  if (webhooks === undefined || feed === undefined) throw new Error('two logs make two logs');
  const webhookAccounts = attackedWebhooks.map(({ account }) => account);
  const random = createRandom(seed, `receivers ${webhooks.deliveries.length}`);
  const receivers = await startReceivers(webhookAccounts, random, webhooks);
  const ids = accounts.map(({ accountId }, index) => [index, accountId] as const);
  const before = await readBefore(servers.database, ids, join(directory, 'events-before.json'));
  await openAttackedWebhooks(servers.database, gateway.masterKey, accounts, receivers.urls);
  const followed = feedAccounts.flatMap((index) => {
    const account = accounts[index];
    return account === undefined ? [] : [[index, account] as const];
  });
  const readers = startFeedReaders(followed, gateway.apiPorts, feed);

  async function untilSettled(tell: (waiting: number) => void): Promise<void> {
    const until = performance.now() + settledWithinMs;
    while (performance.now() < until) {
      if (await settleWebhooks(servers.database, tell)) return;
      await sleep(everyMs);
    }
  }

  return {
    deliveries: () => webhooks.deliveries.length,
    async settle(tell) {
      receivers.behaveWell();
      await untilSettled(tell);
      await readers.untilRead();
      return {
        before,
        logged: await readLog(servers.database, ids),
        webhooks: webhooks.deliveries,
        feed: feed.deliveries,
        webhookAccounts,
        orderedAccounts: attackedWebhooks.filter(({ mode }) => mode === 'ordered').map(({ account }) => account),
        feedAccounts,
        expirations: readers.expirations,
      };
    },
    async stop() {
      await readers.stop();
      await receivers.close();
    },
  };
}
