/**
 * A sender of webhooks that dies at a named point of its work: before or after a statement, or when a server has answered.
 * A dead one hears nothing more, stores nothing and sends nothing. The test moves its work along, without timers.
 */
import { newId } from '@kurir/contracts';
import type { Database } from '@kurir/database';
import { createLogger } from '@kurir/logging';
import { WebhookReaders } from '../src/webhooks/webhook-readers.js';
import { createWebhookSender, type WebhookSender } from '../src/webhooks/webhook-sender.js';
import { patienceMs } from './surroundings.js';
import type { WebhookFixture } from './webhook-fixture.js';

/** `before` or `after`, and the name of a statement or `post`. */
export type StoppingPoint = `${'before' | 'after'} ${string}`;

type Death = {
  readonly isDead: boolean;
  /** Resolves at the death. */
  readonly comes: Promise<void>;
  /** Never resolves if the sender is dead, or dies here. */
  pass(point: StoppingPoint): Promise<void>;
};

const never = new Promise<never>(() => undefined);

/** Death comes when the sender passes this point for the `nth` time. */
function createDeath(at: StoppingPoint, nth: number): Death {
  let passes = 0;
  let isDead = false;
  let strike: () => void = () => undefined;
  const comes = new Promise<void>((resolve) => {
    strike = resolve;
  });
  return {
    get isDead() {
      return isDead;
    },
    comes,
    async pass(point) {
      if (!isDead && point === at && ++passes === nth) {
        isDead = true;
        strike();
      }
      if (isDead) await never;
    },
  };
}

type Statement = { readonly name?: string };

/** The product uses only `query` and `connect` of the pool. */
function mortalDatabase(database: Database, death: Death): Database {
  const { pool } = database;
  const query = async (statement: Statement | string, values?: unknown[]) => {
    const name = typeof statement === 'string' ? 'unnamed' : (statement.name ?? 'unnamed');
    await death.pass(`before ${name}`);
    const answer: unknown = await (typeof statement === 'string'
      ? pool.query(statement, values)
      : pool.query(statement as never));
    await death.pass(`after ${name}`);
    return answer;
  };
  const connect = async () => {
    await death.pass('before connect');
    return pool.connect();
  };
  const mortal = new Proxy(pool, {
    get: (target, property) => {
      if (property === 'query') return query;
      if (property === 'connect') return connect;
      const value: unknown = Reflect.get(target, property);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { ...database, pool: mortal, lists: mortal };
}

const mortalSender =
  (death: Death) =>
  (...parts: Parameters<typeof createWebhookSender>): WebhookSender => {
    const sender = createWebhookSender(...parts);
    return {
      ...sender,
      async send(queued) {
        await death.pass('before post');
        const answer = await sender.send(queued);
        await death.pass('after post');
        return answer;
      },
    };
  };

/**
 * Lives until `isDone` resolves to true, and then hands its webhooks over. Returns whether it died before that. Its leases
 * have run out then.
 */
export async function liveAndDie(
  fixture: WebhookFixture,
  { at, nth, isDone }: { readonly at: StoppingPoint; readonly nth: number; readonly isDone: () => Promise<boolean> },
): Promise<boolean> {
  const { sealer, database, accountKeys } = fixture;
  const death = createDeath(at, nth);
  const readers = new WebhookReaders({
    owner: newId('wrk'),
    database: mortalDatabase(database, death),
    sealer,
    accountKeys,
    policy: 'loopback',
    log: createLogger({ name: 'webhooks', level: 'silent', pretty: false }),
    onHungry: () => undefined,
    onRetryFree: () => undefined,
    eventDays: 30,
    firstProbeMs: 1,
    createSender: mortalSender(death),
  });
  const live = async () => {
    const until = performance.now() + patienceMs / 2;
    while (!(await isDone())) {
      if (performance.now() > until) throw new Error('the events are not taken');
      await readers.renew();
      await readers.balance();
      await readers.readRound();
      await readers.readRetries();
      await readers.persist();
    }
    await readers.stop();
  };
  await Promise.race([live(), death.comes]);
  await fixture.query(`UPDATE webhook_readers SET expires_at = now() - interval '1 minute' WHERE owner IS NOT NULL`);
  return death.isDead;
}
