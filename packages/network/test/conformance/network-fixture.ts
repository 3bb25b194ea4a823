/** A started network for one test, with short methods. `dispose` closes all that the test left open. */
import { randomUUID } from 'node:crypto';
import { type InboundReport, textContent } from '@kurir/contracts';
import { test } from 'vitest';
import type {
  Acknowledgement,
  CredentialStore,
  OutgoingMessage,
  Receipt,
  Session,
  SessionEnd,
  SessionEvents,
} from '../../src/driver.js';
import type { ConformanceFault, ConformanceNetwork, DriverHarness, StartOptions } from './harness.js';
import { MemoryCredentials } from './memory-credentials.js';
import { countOpen, SOCKETS } from './open-resources.js';
import { waitUntil } from './wait-until.js';

/** Long: only a case about missing answers may reach it. */
const ACK_TIMEOUT_MS = 30_000;

export type LinkedDevice = {
  readonly deviceId: string;
  readonly phone: string;
  readonly credentials: CredentialStore;
};

/** A session with all that it reported. */
export type RecordedSession = {
  readonly session: Session;
  readonly connections: number[];
  readonly acknowledged: Acknowledgement[];
  readonly receipts: Receipt[];
  readonly inbound: InboundReport[];
  readonly ends: SessionEnd[];
};

export class NetworkFixture {
  readonly network: ConformanceNetwork;
  readonly #sessions: Session[] = [];
  #lastEpoch = 0n;
  #lastMessage = 0;

  private constructor(network: ConformanceNetwork) {
    this.network = network;
  }

  static async start(harness: DriverHarness, options: Partial<StartOptions> = {}): Promise<NetworkFixture> {
    const defaults = { ackTimeoutMs: ACK_TIMEOUT_MS, codeLifetimeMs: 20_000, codeRounds: 3 };
    return new NetworkFixture(await harness.start({ ...defaults, ...options }));
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#sessions.map((session) => session.close()));
    await this.network.stop();
  }

  newDeviceId(): string {
    return `dev_${randomUUID().replaceAll('-', '')}`;
  }

  nextEpoch(): bigint {
    this.#lastEpoch += 1n;
    return this.#lastEpoch;
  }

  message(recipient: string, text = 'Selamat pagi'): OutgoingMessage {
    this.#lastMessage += 1;
    const networkMessageId = `3EB0${this.#lastMessage.toString(16).toUpperCase().padStart(18, '0')}`;
    return { networkMessageId, recipient, content: textContent(text) };
  }

  /** Links a new device to a phone by QR. */
  async link(phone: string = this.network.freshNumber()): Promise<LinkedDevice> {
    const credentials = new MemoryCredentials();
    const deviceId = this.newDeviceId();
    const codes: string[] = [];
    const attempt = this.network.driver.link({
      deviceId,
      epoch: this.nextEpoch(),
      credentials,
      method: 'qr',
      code: (code) => void codes.push(code),
    });
    await waitUntil('a code is shown', () => codes.length > 0);
    await this.network.scan(phone, codes.at(-1) ?? '');
    const end = await attempt.end;
    if (end.kind !== 'linked') throw new Error(`linking ended as ${end.kind}`);
    return { deviceId, phone, credentials };
  }

  /** Starts a session and records what it reports. `handlers` replace the recording handlers. */
  connect({ deviceId, credentials }: LinkedDevice, handlers: Partial<SessionEvents> = {}): RecordedSession {
    const reported = { connections: [], acknowledged: [], receipts: [], inbound: [], ends: [] };
    const recorded: Omit<RecordedSession, 'session'> = reported;
    const events: SessionEvents = {
      connected: () => void recorded.connections.push(1),
      acknowledged: async (acknowledgement) => void recorded.acknowledged.push(acknowledgement),
      receipt: async (receipt) => void recorded.receipts.push(receipt),
      inbound: async (report) => void recorded.inbound.push(report),
      ended: (end) => void recorded.ends.push(end),
      ...handlers,
    };
    const session = this.network.driver.connect({ deviceId, epoch: this.nextEpoch(), credentials, events });
    this.#sessions.push(session);
    return { session, ...recorded };
  }

  async connectAndWait(device: LinkedDevice, handlers: Partial<SessionEvents> = {}): Promise<RecordedSession> {
    const recorded = this.connect(device, handlers);
    await waitUntil('the session is connected', () => recorded.connections.length === 1);
    return recorded;
  }

  /** Links and connects a device. Returns it with its session. */
  async online(): Promise<{ device: LinkedDevice } & RecordedSession> {
    const device = await this.link();
    return { device, ...(await this.connectAndWait(device)) };
  }

  async idsShown(phone: string): Promise<string[]> {
    return (await this.network.inbox(phone)).map((message) => message.networkMessageId);
  }
}

/** Runs a test's body on its own network, which is stopped in any case. Fails when a socket stays open. */
export function withNetworkFixture(
  harness: DriverHarness,
  run: (fixture: NetworkFixture) => Promise<void>,
  options: Partial<StartOptions> = {},
): () => Promise<void> {
  return async () => {
    const before = countOpen(SOCKETS);
    const fixture = await NetworkFixture.start(harness, options);
    try {
      await run(fixture);
    } finally {
      await fixture.dispose();
    }
    await waitUntil('every socket is closed', () => countOpen(SOCKETS) <= before);
  };
}

/** A test that is skipped, with the reason, if this network cannot play the fault. */
export function testWith(
  harness: DriverHarness,
  kind: ConformanceFault['kind'],
): (name: string, run: () => Promise<void>) => void {
  const why = harness.cannotPlay?.[kind];
  // oxlint-disable-next-line vitest/valid-title -- the titles stand where this is called
  return (name, run) => test(name, (context) => (why === undefined ? run() : context.skip(why)));
}
