/** A relay with one phone, and one device that the driver links to it, for the tests of this package. */
import { type PairingMethod, textContent } from '@kurir/contracts';
import type {
  AccountLimits,
  Acknowledgement,
  ConnectOptions,
  CredentialStore,
  Driver,
  InboundReport,
  LinkEnd,
  OutgoingMessage,
  Receipt,
  Session,
  SessionEnd,
  SessionEvents,
} from '@kurir/network';
import { MemoryCredentials, waitUntil } from '@kurir/network/conformance';
import { createRecipient, createRelay, type Phone, type Recipient, type Relay } from '@kurir/whatsapp-relay';
import { vi } from 'vitest';
import { createWhatsappDriver, type WhatsappDriverOptions } from '../src/whatsapp-driver.js';

/** Linking costs much processor time, and the machine may be busy with other tests. */
vi.setConfig({ testTimeout: 180_000 });

export const SENDER = '4915100000001';
const FIRST_RECIPIENT = 4915200000001;

export type Recorded = {
  readonly session: Session;
  readonly connections: number[];
  readonly acknowledged: Acknowledgement[];
  readonly receipts: Receipt[];
  readonly inbound: InboundReport[];
  readonly limits: AccountLimits[];
  readonly ends: SessionEnd[];
};

type ConnectParts = Partial<Pick<ConnectOptions, 'readMessage' | 'reportsGroups' | 'proxyUrl' | 'credentials'>> & {
  readonly events?: Partial<SessionEvents>;
};

export class RelayFixture {
  readonly relay: Relay;
  readonly phone: Phone;
  readonly driver: Driver;
  readonly credentials = new MemoryCredentials();
  readonly #sessions: Session[] = [];
  readonly #people: Recipient[] = [];
  #epoch = 0n;
  #messages = 0;

  private constructor(relay: Relay, phone: Phone, options: Partial<WhatsappDriverOptions>) {
    this.relay = relay;
    this.phone = phone;
    this.driver = createWhatsappDriver({
      webSocketUrl: relay.url,
      noiseRootKey: relay.rootPublicKey,
      ackTimeoutMs: 30_000,
      queryTimeoutMs: 30_000,
      mediaHost: { address: relay.mediaAddress, certificate: relay.mediaCertificate },
      privateProxies: 'allow',
      log: { debug: () => undefined, warn: () => undefined },
      ...options,
    });
  }

  static async start(options: Partial<WhatsappDriverOptions> = {}): Promise<RelayFixture> {
    const relay = await createRelay();
    return new RelayFixture(relay, await relay.createPhone(SENDER), options);
  }

  /** Links the device. The test itself connects it. */
  async link(): Promise<void> {
    const { end, codes } = this.startLinking();
    await waitUntil('a code is shown', () => codes.length > 0);
    await this.phone.scan(codes.at(-1) ?? '');
    if ((await end).kind !== 'linked') throw new Error('the device was not linked');
  }

  startLinking(method: PairingMethod = 'qr', proxyUrl?: string): { end: Promise<LinkEnd>; codes: string[] } {
    const codes: string[] = [];
    const { end } = this.driver.link({
      deviceId: 'dev_1',
      epoch: this.#nextEpoch(),
      credentials: this.credentials,
      method,
      phoneNumber: SENDER,
      ...(proxyUrl === undefined ? {} : { proxyUrl }),
      code: (code) => void codes.push(code),
    });
    return { end, codes };
  }

  connect({ events = {}, credentials = this.credentials, ...parts }: ConnectParts = {}): Recorded {
    const recorded: Omit<Recorded, 'session'> = {
      connections: [],
      acknowledged: [],
      receipts: [],
      inbound: [],
      limits: [],
      ends: [],
    };
    const session = this.driver.connect({
      deviceId: 'dev_1',
      epoch: this.#nextEpoch(),
      credentials,
      ...parts,
      events: {
        connected: () => void recorded.connections.push(1),
        acknowledged: async (acknowledgement) => void recorded.acknowledged.push(acknowledgement),
        receipt: async (receipt) => void recorded.receipts.push(receipt),
        inbound: async (report) => void recorded.inbound.push(report),
        limits: (limits) => void recorded.limits.push(limits),
        ended: (end) => void recorded.ends.push(end),
        ...events,
      },
    });
    this.#sessions.push(session);
    return { session, ...recorded };
  }

  async connected(parts: ConnectParts = {}): Promise<Recorded> {
    const recorded = this.connect(parts);
    await waitUntil('the session is connected', () => recorded.connections.length === 1);
    return recorded;
  }

  async online(parts: ConnectParts = {}): Promise<Recorded> {
    await this.link();
    return this.connected(parts);
  }

  /** A person with a phone and a zapo-js client. */
  async person(): Promise<Recipient> {
    const person = await createRecipient(this.relay, String(FIRST_RECIPIENT + this.#people.length));
    this.#people.push(person);
    return person;
  }

  message(recipient: string, text = 'Halo'): OutgoingMessage {
    this.#messages += 1;
    return {
      networkMessageId: `3EB0${String(this.#messages).padStart(18, '0')}`,
      recipient,
      content: textContent(text),
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.#sessions.map((session) => session.close()));
    await Promise.all(this.#people.map((person) => person.close()));
    await this.relay.close();
  }

  #nextEpoch(): bigint {
    this.#epoch += 1n;
    return this.#epoch;
  }
}

/** Runs a test's body with its own fixture. */
export function withRelayFixture(
  run: (fixture: RelayFixture) => Promise<void>,
  options: Partial<WhatsappDriverOptions> = {},
): () => Promise<void> {
  return async () => {
    const fixture = await RelayFixture.start(options);
    try {
      await run(fixture);
    } finally {
      await fixture.close();
    }
  };
}

/** A store in which all rows of one kind have this value, or cannot be opened. */
export function storeWith(
  store: CredentialStore,
  row: { readonly kind: string; readonly value: Uint8Array | Error },
): CredentialStore {
  return {
    write: (changes) => store.write(changes),
    read: async (kind, ids) => {
      const { value } = row;
      if (kind !== row.kind) return store.read(kind, ids);
      if (value instanceof Error) throw value;
      return new Map(ids.map((id) => [id, value]));
    },
  };
}
