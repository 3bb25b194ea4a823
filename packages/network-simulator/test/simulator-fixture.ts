/** A simulator in this process, with its driver, for one test file. `stop` leaves nothing open. */
import type { Driver, Session } from '@kurir/network';
import { createSimulatorDriver } from '../src/driver/simulator-driver.js';
import { type SimulatorOptions, startSimulator } from '../src/simulator.js';
import { ask, askFor, type Reply } from './ask.js';
import { connectDevice, type Device, linkDevice, type Online } from './device-fixture.js';

const ACK_TIMEOUT_MS = 600;

export class SimulatorFixture {
  readonly url: string;
  readonly driver: Driver;
  readonly #close: () => Promise<void>;
  readonly #sessions: Session[] = [];
  #numbers = 0;
  #messages = 0;

  private constructor(url: string, close: () => Promise<void>) {
    this.url = url;
    this.driver = createSimulatorDriver({ url, ackTimeoutMs: ACK_TIMEOUT_MS });
    this.#close = close;
  }

  static async start(options: SimulatorOptions = {}): Promise<SimulatorFixture> {
    const simulator = await startSimulator({ receiptDelayMs: 5, ...options });
    return new SimulatorFixture(simulator.url, () => simulator.close());
  }

  async stop(): Promise<void> {
    await Promise.all(this.#sessions.map((session) => session.close()));
    await this.#close();
  }

  freshNumber(): string {
    this.#numbers += 1;
    return `62813${String(this.#numbers).padStart(6, '0')}1`;
  }

  freshId(): string {
    this.#messages += 1;
    return `3EB0${String(this.#messages).padStart(18, '0')}`;
  }

  link(number: string = this.freshNumber()): Promise<Device> {
    return linkDevice(this.driver, this.url, number);
  }

  async connect(device: Device, epoch?: bigint): Promise<Online> {
    const online = await connectDevice(this.driver, device, { epoch });
    this.#sessions.push(online.session);
    return online;
  }

  ask(method: string, path: string, body?: unknown): Promise<Reply> {
    return ask(this.url, method, path, body);
  }

  askFor(method: string, path: string, body?: unknown): Promise<unknown> {
    return askFor(this.url, method, path, body);
  }
}
