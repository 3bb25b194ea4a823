/** One WhatsApp relay and one worker for a test file, with devices that are linked to phones of the relay. */
import type { AccountId } from '@kurir/contracts';
import { requestUnlink } from '@kurir/database';
import { createWhatsappDriver } from '@kurir/network-whatsapp';
import { restoreAllProxies, startTcpProxy, type TcpProxy } from '@kurir/testing';
import { createRelay, type JournalEntry, type Phone, type Relay, type RelayOptions } from '@kurir/whatsapp-relay';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import type { ReconnectDelay } from '../src/devices/connecting/reconnect-delay.js';
import type { RunningWorker } from '../src/start-worker.js';
import { WorkerFixture, type WorkerOptions } from './worker-fixture.js';
import type { Customer, DeviceOptions } from './account-fixture.js';
import { newPhoneNumber } from './network.js';
import { makeParts, patienceMs, type SurroundingsParts } from './surroundings.js';

/** So long that a message that the relay swallows stays unanswered until the connection ends. */
const longAckTimeoutMs = 60_000;
/** A short pause between two connections, in which a test can read the state that the customer would read. */
const delay: ReconnectDelay = { next: () => 50, connected: () => undefined };

const historyOfStates = `
  CREATE TABLE state_history (n bigserial, device_id text, state text, reason text, detail text, until timestamptz);
  CREATE FUNCTION note_state() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO state_history (device_id, state, reason, detail, until)
    VALUES (new.id, new.state, new.state_reason, new.state_detail, new.state_until);
    RETURN NULL;
  END $$;
  CREATE TRIGGER note_state AFTER UPDATE OF state, state_reason ON devices FOR EACH ROW
    WHEN ((old.state, old.state_reason, old.state_detail, old.state_until) IS DISTINCT FROM
          (new.state, new.state_reason, new.state_detail, new.state_until)) EXECUTE FUNCTION note_state()`;

export type PastState = {
  readonly state: string;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly until: Date | null;
};

export class WhatsappFixture extends WorkerFixture {
  readonly relay: Relay;
  /** The proxy between the workers and the relay. */
  readonly way: TcpProxy;
  readonly #ownsRelay: boolean;

  constructor(parts: SurroundingsParts, relay: Relay, way: TcpProxy, ownsRelay = true) {
    super(parts);
    this.relay = relay;
    this.way = way;
    this.#ownsRelay = ownsRelay;
  }

  static async open(options: RelayOptions = {}): Promise<WhatsappFixture> {
    const [parts, relay] = await Promise.all([makeParts(), createRelay(options)]);
    const fixture = new WhatsappFixture(parts, relay, await startTcpProxy(relay.url));
    await fixture.query(historyOfStates);
    return fixture;
  }

  /** Opens another database with other workers on the same relay. Close it before this fixture. */
  async openAnother(): Promise<WhatsappFixture> {
    return new WhatsappFixture(await makeParts(), this.relay, await startTcpProxy(this.relay.url), false);
  }

  startWhatsappWorker(options: Pick<WorkerOptions, 'ackTimeoutMs' | 'wrapDriver' | 'webVersions'> = {}): RunningWorker {
    const { ackTimeoutMs = longAckTimeoutMs, wrapDriver = (own) => own, webVersions } = options;
    const quiet = { debug: () => undefined, warn: () => undefined };
    const { rootPublicKey } = this.relay;
    const driver = createWhatsappDriver({
      webSocketUrl: this.way.url,
      noiseRootKey: rootPublicKey,
      ...(webVersions === undefined ? {} : { version: () => webVersions.current() }),
      ackTimeoutMs,
      queryTimeoutMs: 1_000,
      log: quiet,
    });
    return this.startWorker({
      drivers: { whatsapp: wrapDriver(driver) },
      reconnectDelay: () => delay,
      ...(webVersions === undefined ? {} : { webVersions }),
    });
  }

  /** The settings for a worker that runs as a program. */
  get whatsappSettings(): Record<string, string> {
    return {
      KURIR_WHATSAPP_URL: this.relay.url,
      KURIR_WHATSAPP_ROOT_KEY: Buffer.from(this.relay.rootPublicKey).toString('base64'),
      KURIR_ACK_TIMEOUT_MS: '20000',
    };
  }

  phone({ number }: Pick<Customer, 'number'>): Promise<Phone> {
    return this.relay.createPhone(number);
  }

  /** Returns the number of a new phone on WhatsApp. */
  async recipient(): Promise<string> {
    return (await this.phone({ number: newPhoneNumber() })).number;
  }

  override async anotherDevice(accountId: AccountId, options: DeviceOptions = {}): Promise<Customer> {
    const customer = await this.unlinkedDevice(accountId, { ...options, network: 'whatsapp' });
    await this.linkByQr(customer);
    return customer;
  }

  async linkByQr(customer: Customer): Promise<void> {
    await this.askForQr(customer);
    await (await this.phone(customer)).scan(await this.shownCode(customer));
    await this.untilState(customer, 'connected');
  }

  async connectionOf(customer: Customer): Promise<number> {
    const device = (await this.phone(customer)).devices().findLast(({ connected }) => connected);
    if (device === undefined) throw new Error('the phone has no connected device');
    return device.id;
  }

  /** Returns the present end of the history of states, for `statesSince`. */
  async moment(): Promise<string> {
    const [row] = await this.query<{ n: string }>('SELECT coalesce(max(n), 0) AS n FROM state_history');
    return row?.n ?? '0';
  }

  /** Returns all states that the device had after the given moment, in order. */
  statesSince(moment: string, { deviceId }: Customer): Promise<PastState[]> {
    return this.query<PastState>(
      'SELECT state, reason, detail, until FROM state_history WHERE device_id = $1 AND n > $2 ORDER BY n',
      [deviceId, moment],
    );
  }

  logins({ number }: Customer): readonly JournalEntry[] {
    return this.relay.journal.of('login', { from: number });
  }

  /** Resolves when the worker has reconciled all its devices once more. Only a reconciliation unlinks `bystander`. */
  async passRound(bystander: Customer): Promise<void> {
    await requestUnlink(this.database, bystander.accountId, bystander.deviceId);
    await this.untilState(bystander, 'disconnected');
  }

  override async close(): Promise<void> {
    await this.way.close();
    if (this.#ownsRelay) await this.relay.close();
    await super.close();
  }
}

/** Registers the file's fixture. Call the returned function inside tests. `worker: false` starts no worker. */
export function useWhatsappFixture({
  worker = true,
  relay = {},
  ...options
}: Pick<WorkerOptions, 'ackTimeoutMs'> & {
  readonly worker?: boolean;
  readonly relay?: RelayOptions;
} = {}): () => WhatsappFixture {
  vi.setConfig({ testTimeout: 3 * patienceMs, hookTimeout: 3 * patienceMs });
  let fixture: WhatsappFixture | undefined;
  beforeAll(async () => {
    fixture = await WhatsappFixture.open(relay);
    if (worker) fixture.startWhatsappWorker(options);
  });
  afterEach(restoreAllProxies);
  afterAll(async () => {
    await fixture?.stopWorkers();
    await fixture?.close();
  });
  return () => {
    if (fixture === undefined) throw new Error('the fixture stands only inside tests');
    return fixture;
  };
}
