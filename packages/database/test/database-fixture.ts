/** The fixture of the database's tests: a database for each file, and a tenant for each test. */
import { createSecretKey, randomBytes } from 'node:crypto';
import {
  type AccountId,
  type ApiKeyId,
  type DeviceId,
  type MessageId,
  newId,
  type SendInput,
  textContent,
} from '@kurir/contracts';
import { createTestDatabase } from '@kurir/testing';
import { afterAll, beforeAll } from 'vitest';
import { type AccountKeys, createAccountKeys } from '../src/accounts/account-keys.js';
import { acceptTogether } from '../src/messages/accept-messages.js';
import { type ClaimOutcome, createClaimer } from '../src/messages/claim-message.js';
import type { ReadContent } from '../src/messages/message-contents.js';
import { networkMessageIdOf } from '../src/messages/network-message-id.js';
import type { AcceptedMessage, NewMessage } from '../src/messages/new-message.js';
import { type Database, openDatabase } from '../src/postgres/connect.js';
import { createSealer } from '../src/postgres/sealer.js';
import type { LeaseToken } from '../src/sessions/lease-token.js';

export type Tenant = {
  readonly accountId: AccountId;
  readonly deviceId: DeviceId;
  readonly keyId: ApiKeyId;
  /** Its device is linked and connected; this token holds its lease. */
  readonly holder: LeaseToken;
};

export type TenantOptions = {
  /** The quota of its one open period. Null: unlimited. Default a thousand. */
  readonly quota?: number | null;
};

export type MessageState = {
  readonly status: string;
  readonly reason: string | null;
  readonly attempts: number;
  readonly unanswered: number;
  readonly seq: bigint;
  readonly epoch: bigint | null;
  readonly held: boolean;
};

/** A message in `sending`, and the lease of its device. */
export type Standing = {
  readonly id: MessageId;
  readonly attempts: number;
  readonly networkMessageId: string;
  readonly holder: LeaseToken;
};

/** The master key of all tests of the database. */
export const sealer = createSealer(createSecretKey(randomBytes(32)));

/** A test may write 120,000 rows in one statement, on a machine that is full: longer than any statement of the product. */
const fixtureTimeoutMs = 240_000;

export class DatabaseFixture {
  readonly database: Database;
  readonly accountKeys: AccountKeys;
  readonly url: string;

  constructor(database: Database, url: string) {
    this.database = database;
    this.accountKeys = createAccountKeys(database, sealer);
    this.url = url;
  }

  async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const statement = { text, values: [...values], query_timeout: fixtureTimeoutMs };
    const { rows } = await this.database.pool.query<Row>(statement);
    return rows;
  }

  async tenant({ quota = 1_000 }: TenantOptions = {}): Promise<Tenant> {
    const accountId = newId('acc');
    await this.query(`INSERT INTO accounts (id, name) VALUES ($1, 'test')`, [accountId]);
    const [holder] = await Promise.all([
      this.device(accountId),
      this.openPeriod(accountId, { quota }),
      this.accountKeys.fingerprinting(accountId),
    ]);
    return { accountId, deviceId: holder.deviceId, keyId: `kk_live_${randomBytes(8).toString('hex')}`, holder };
  }

  /** Makes a linked, connected device of the account. Returns its lease. */
  async device(accountId: AccountId): Promise<LeaseToken> {
    const holder = { deviceId: newId('dev'), owner: newId('wrk'), epoch: 1n };
    await this.query(
      `WITH device AS (
         INSERT INTO devices (id, account_id, name, network, linked, desired_state, state, last_connected_at)
         VALUES ($1, $2, 'd', 'simulator', true, 'linked', 'connected', now()))
       INSERT INTO device_leases (device_id, owner, epoch, expires_at) VALUES ($1, $3, 1, now() + interval '1 hour')`,
      [holder.deviceId, accountId, holder.owner],
    );
    return holder;
  }

  /** Makes a period that is open, or that ended if `endsInHours` is negative. Returns its id. */
  async openPeriod(
    accountId: AccountId,
    { quota, endsInHours = 720 }: { quota: number | null; endsInHours?: number },
  ): Promise<string> {
    const [row] = await this.query<{ id: string }>(
      `INSERT INTO subscription_periods (id, account_id, plan_name, plan_type, starts_at, ends_at, initial_quota)
       VALUES (gen_random_uuid(), $1, 'Test', 'TIME_BASED', now() - interval '60 days', now() + make_interval(hours => $2), $3)
       RETURNING id`,
      [accountId, endsInHours, quota],
    );
    if (row === undefined) throw new Error('no period was made');
    return row.id;
  }

  /** Gives the device to another worker, like a new owner that takes the lease. */
  async handOver(holder: LeaseToken): Promise<LeaseToken> {
    const next = { deviceId: holder.deviceId, owner: newId('wrk'), epoch: holder.epoch + 1n };
    await this.query(`UPDATE device_leases SET owner = $2, epoch = $3 WHERE device_id = $1`, [
      next.deviceId,
      next.owner,
      next.epoch,
    ]);
    return next;
  }

  /** Accepts messages of the tenant together, one for each input. */
  async accept(tenant: Tenant, inputs: readonly TestInput[] = [{}]): Promise<AcceptedMessage[]> {
    const outcomes = await acceptTogether(this.database, this.accountKeys, bulkOf(tenant, inputs));
    return outcomes.map((outcome) => {
      if (outcome.kind !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(outcome)}`);
      return outcome;
    });
  }

  /** Claims like the lane of the device. `lastTry` is the last try that the lane gave to the driver. */
  claim(holder: LeaseToken, { lastTry = '' } = {}): Promise<ClaimOutcome> {
    return createClaimer(this.database, this.accountKeys).submit({ ...holder, lastTry });
  }

  /** Messages of the tenant in their first try: one on its device, or several on a device each. */
  async sending(tenant: Tenant, count = 1): Promise<Standing[]> {
    const holders =
      count === 1
        ? [tenant.holder]
        : await Promise.all(Array.from({ length: count }, () => this.device(tenant.accountId)));
    const messages = holders.map(({ deviceId }) => messageOf(tenant, {}, { deviceId }));
    const outcomes = await acceptTogether(this.database, this.accountKeys, messages);
    if (outcomes.some(({ kind }) => kind !== 'accepted')) throw new Error('not accepted');
    const ids = messages.map(({ id }) => id);
    await this.query(`UPDATE messages SET status = 'sending', attempts = 1, epoch = 1 WHERE id = ANY ($1)`, [ids]);
    return messages.map(({ id }, i) => ({
      id,
      attempts: 1,
      networkMessageId: networkMessageIdOf('simulator', id),
      holder: present(holders[i]),
    }));
  }

  /** Changes messages. `change` is SQL. */
  async change(ids: MessageId | undefined | readonly (MessageId | undefined)[], change: string): Promise<void> {
    await this.query(`UPDATE messages SET ${change} WHERE id = ANY ($1)`, [[ids].flat()]);
  }

  /** The number of request keys of the tenant's messages. */
  async keysLeft({ keyId, accountId }: Tenant): Promise<number> {
    const rows = await this.query('SELECT 1 FROM request_keys WHERE scope IN ($1, $2)', [keyId, accountId]);
    return rows.length;
  }

  /** Returns true if some statement waits for a row that another transaction holds. */
  async waitsForLock(): Promise<boolean> {
    const waiting = await this.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return waiting.length > 0;
  }

  async state(id: MessageId): Promise<MessageState> {
    const [row] = await this.query<MessageState>(
      `SELECT status, reason, attempts, unanswered, seq, epoch, coalesce(held_until > now(), false) AS held
       FROM messages WHERE id = $1`,
      [id],
    );
    if (row === undefined) throw new Error(`there is no message ${id}`);
    return row;
  }

  async events(id: MessageId): Promise<string[]> {
    const rows = await this.query<{ status: string }>(
      'SELECT status FROM message_events WHERE message_id = $1 ORDER BY ordinal',
      [id],
    );
    return rows.map((row) => row.status);
  }

  /** The quota taken from the account's periods, in the order in which they end. */
  async taken(accountId: AccountId): Promise<number[]> {
    const rows = await this.query<{ taken_quota: number }>(
      'SELECT taken_quota FROM subscription_periods WHERE account_id = $1 ORDER BY ends_at',
      [accountId],
    );
    return rows.map((row) => row.taken_quota);
  }

  async count(table: 'messages' | 'message_events' | 'ledger_entries', accountId: AccountId): Promise<number> {
    const of = table === 'message_events' ? 'messages m JOIN message_events e ON e.message_id = m.id' : `${table} m`;
    const [row] = await this.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${of} WHERE m.account_id = $1`, [
      accountId,
    ]);
    return row?.n ?? 0;
  }
}

/** A value that must be there. */
export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a value that the test needs is missing');
  return value;
}

/** The text of a content, or the reason why there is none. */
export const textIn = (content: ReadContent): string => (typeof content === 'string' ? content : content.text);

/** The same input `count` times. */
export function copies(count: number, input: TestInput = {}): TestInput[] {
  return Array.from({ length: count }, () => input);
}

/** The fields of a message that matter to a test. `text` stands for its content. */
export type TestInput = Partial<Omit<SendInput, 'content'>> & { readonly text?: string };

const plain: Omit<SendInput, 'content'> = {
  recipient: '6281234567890',
  clientRef: null,
  priority: 'normal',
  category: 'transactional',
  ttlSeconds: null,
  sendAt: null,
};

/** A message as the api makes it, with its own repeat key by default. */
export function messageOf(
  tenant: Tenant,
  input: TestInput = {},
  rest: Partial<Omit<NewMessage, 'input'>> = {},
): NewMessage {
  const { text = 'Halo', ...fields } = input;
  return {
    id: newId('msg'),
    accountId: tenant.accountId,
    deviceId: tenant.deviceId,
    keyId: tenant.keyId,
    requestId: newId('req'),
    repeatKey: randomBytes(32),
    position: 0,
    input: { ...plain, ...fields, content: textContent(text) },
    ...rest,
  };
}

/** The messages of one bulk request. */
export function bulkOf(tenant: Tenant, inputs: readonly TestInput[], repeatKey = randomBytes(32)): NewMessage[] {
  return inputs.map((input, position) => messageOf(tenant, input, { position, repeatKey }));
}

/** The same request again, as the api makes it for a retry: only our own ids differ. */
export function again(message: NewMessage, changes: Partial<NewMessage> = {}): NewMessage {
  return { ...message, id: newId('msg'), requestId: newId('req'), ...changes };
}

/** Opens a database for the file. The returned function gives the fixture inside tests. */
export function useDatabaseFixture(options: { readonly poolSize?: number } = {}): () => DatabaseFixture {
  let fixture: DatabaseFixture | undefined;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const made = await createTestDatabase();
    drop = () => made.drop();
    fixture = new DatabaseFixture(openDatabase({ url: made.url, poolSize: options.poolSize ?? 10 }), made.url);
  });
  afterAll(async () => {
    await fixture?.database.close();
    await drop();
  });
  return () => {
    if (fixture === undefined) throw new Error('the fixture exists only inside tests');
    return fixture;
  };
}
