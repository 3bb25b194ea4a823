/** Workers that only send webhooks, accounts with events, and servers that receive them. */
import { type AccountId, type DeviceId, type EventType, newId, type WebhookId } from '@kurir/contracts';
import { createAccount, createAccountKeys, openDatabase } from '@kurir/database';
import { createWebhook, type NewWebhook } from '@kurir/database/webhooks';
import { createLogger } from '@kurir/logging';
import { makeWebhookSecret } from '@kurir/signing';
import { restoreAllProxies, waitUntil } from '@kurir/testing';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { startWebhooks } from '../src/webhooks/start-webhooks.js';
import { makeParts, patienceMs, Surroundings } from './surroundings.js';
import { type Receiver, startReceiver } from './webhook-receiver.js';

export type WebhookCustomer = {
  readonly accountId: AccountId;
  readonly webhookId: WebhookId;
  readonly receiver: Receiver;
};

type SenderOptions = {
  /** Past the proxy, so that a cut does not concern this worker. */
  readonly isDirect?: boolean;
  readonly firstProbeMs?: number;
  readonly eventDays?: number;
};

export class WebhookFixture extends Surroundings {
  readonly #ends: (() => Promise<void>)[] = [];

  /** Starts a worker that sends webhooks. Returns the function that stops it. */
  startWebhooks({ isDirect = false, firstProbeMs, eventDays = 30 }: SenderOptions = {}): () => Promise<void> {
    const database = openDatabase({ url: isDirect ? this.databaseUrl : this.postgres.url, poolSize: 8 });
    const queue = this.connectQueue(this.redis.url);
    const log = createLogger({ name: 'webhooks', level: process.env['KURIR_TEST_LOG'] ?? 'silent', pretty: false });
    const { sealer } = this;
    const accountKeys = createAccountKeys(database, sealer);
    const policy = 'loopback';
    const parts = {
      owner: newId('wrk'),
      database,
      queue,
      sealer,
      accountKeys,
      policy,
      log,
      eventDays,
      firstProbeMs,
    } as const;
    const stop = startWebhooks(parts);
    let ended: Promise<void> | undefined;
    const end = () =>
      (ended ??= stop()
        .catch(() => undefined)
        .then(() => Promise.all([queue.close(), database.close()]))
        .then(() => undefined));
    this.#ends.push(end);
    return end;
  }

  async receiver(): Promise<Receiver> {
    const receiver = await startReceiver();
    this.#ends.push(() => receiver.close());
    return receiver;
  }

  async customer(changes: Partial<NewWebhook> = {}): Promise<WebhookCustomer> {
    const receiver = await this.receiver();
    const accountId = changes.accountId ?? (await createAccount(this.database, 'test'));
    const secret = makeWebhookSecret();
    receiver.secrets.push(secret);
    const webhookId = await createWebhook(this.database, this.sealer, {
      accountId,
      url: receiver.url,
      description: '',
      types: [],
      deviceIds: [],
      mode: 'parallel',
      maxPerSecond: null,
      secret,
      ...changes,
    });
    if (webhookId === 'too-many') throw new Error('too many webhooks');
    return { accountId, webhookId, receiver };
  }

  /** Appends events of new messages, in one transaction: each message gets all of these types. */
  async append(
    accountId: AccountId,
    messages: number,
    types: readonly EventType[] = ['message.sent', 'message.delivered'],
    deviceId: DeviceId = newId('dev'),
  ): Promise<string[]> {
    const ids = Array.from({ length: messages }, () => newId('msg'));
    await this.query(
      `INSERT INTO events (account_id, generation, device_id, subject_id, sequence, kind)
       SELECT $1, event_generation(), $2, id, k.n, k.kind
       FROM unnest($3::text[]) id, unnest($4::text[]) WITH ORDINALITY k (kind, n) ORDER BY k.n, id`,
      [accountId, deviceId, ids, types],
    );
    return ids;
  }

  /** Waits until the receiver took so many different events. */
  async untilTaken({ receiver }: WebhookCustomer, count: number): Promise<void> {
    await waitUntil(() => takenIds(receiver).size >= count, {
      what: `${count} events are taken`,
      timeoutMs: patienceMs,
    });
  }

  /** Makes all waiting events due now, except those that a worker changes at the moment. */
  async makeRetriesDue({ webhookId }: WebhookCustomer): Promise<void> {
    await this.query(
      `UPDATE webhook_retries SET due_at = now() - interval '2 ms' WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM webhook_retries WHERE webhook_id = $1 AND due_at > now() FOR UPDATE SKIP LOCKED))`,
      [webhookId],
    );
  }

  waiting({ webhookId }: WebhookCustomer) {
    return this.query<{ subject_id: string; sequence: number; tries: number; wait: number; failed: boolean }>(
      `SELECT subject_id, sequence, tries, extract(epoch FROM due_at - now())::float8 AS wait, failed_at IS NOT NULL AS failed
       FROM webhook_retries WHERE webhook_id = $1 ORDER BY generation, xid, seq`,
      [webhookId],
    );
  }

  async endAll(): Promise<void> {
    await Promise.all(this.#ends.splice(0).map((end) => end()));
    await this.query('DELETE FROM webhooks');
  }
}

export const takenIds = ({ received }: Receiver): ReadonlySet<string> =>
  new Set(received.filter(({ isTaken }) => isTaken).map(({ id }) => id));

/** Registers the file's fixture. Call the returned function inside tests. */
export function useWebhookFixture(): () => WebhookFixture {
  vi.setConfig({ testTimeout: 2 * patienceMs });
  let fixture: WebhookFixture | undefined;
  beforeAll(async () => {
    fixture = new WebhookFixture(await makeParts());
  });
  afterEach(async () => {
    await restoreAllProxies();
    await fixture?.endAll();
  });
  afterAll(() => fixture?.close());
  return () => {
    if (fixture === undefined) throw new Error('the fixture stands only inside tests');
    return fixture;
  };
}
