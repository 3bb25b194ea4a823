/**
 * Workers in this process, for one test file. A test can cut their Postgres, Redis and network, and makes its own account
 * with a linked device.
 */
import { type WorkerRole, workerRoles } from '@kurir/config';
import { type DeviceId, newId, type WorkerId } from '@kurir/contracts';
import {
  createAccountKeys,
  createClaimer,
  createContactWriter,
  createInboundWriter,
  createOutcomeWriter,
  openDatabase,
  type OutcomeWriter,
} from '@kurir/database';
import { createLogger } from '@kurir/logging';
import type { Driver } from '@kurir/network';
import { createSimulatorDriver } from '@kurir/network-simulator';
import { restoreAllProxies, waitUntil } from '@kurir/testing';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { createConnectGate } from '../src/devices/connecting/connect-gate.js';
import type { Drivers } from '../src/networks/network-in-use.js';
import { DeviceSupervisor } from '../src/devices/device-supervisor.js';
import type { ReconnectDelay } from '../src/devices/connecting/reconnect-delay.js';
import type { WorkerParts } from '../src/roles/role-parts.js';
import { type RunningWorker, startWorker } from '../src/start-worker.js';
import type { WebVersions } from '../src/networks/web-versions.js';
import { type Customer, AccountFixture } from './account-fixture.js';
import { makeParts, patienceMs } from './surroundings.js';

export type WorkerOptions = {
  /** Default: all. */
  readonly roles?: readonly WorkerRole[];
  readonly ackTimeoutMs?: number;
  readonly capacity?: number;
  /** Wraps the simulator's driver. */
  readonly wrapDriver?: (driver: Driver) => Driver;
  /** Replaces the usual drivers: the simulator's, and none for WhatsApp. */
  readonly drivers?: Partial<Drivers>;
  readonly reconnectDelay?: () => ReconnectDelay;
  readonly webVersions?: WebVersions;
};

export type SupervisorOptions = WorkerOptions & {
  readonly now?: () => number;
  /** Wraps the claimer of all lanes. */
  readonly wrapClaimer?: (claimer: Claimer) => Claimer;
  /** Called for each lane that needs tickets. By default nobody makes them. */
  readonly fillLane?: (deviceId: DeviceId) => void;
  readonly wrapOutcomes?: (outcomes: OutcomeWriter) => OutcomeWriter;
};

type Claimer = ReturnType<typeof createClaimer>;

export type TestSupervisor = {
  readonly owner: WorkerId;
  readonly supervisor: DeviceSupervisor;
  readonly stop: () => Promise<void>;
};

export class WorkerFixture extends AccountFixture {
  readonly #workers = new Set<() => Promise<void>>();

  /** Starts a worker that ends with the test at the latest. */
  startWorker(options: WorkerOptions = {}): RunningWorker {
    const { parts, close } = this.#workerParts(options);
    const worker = startWorker(parts);
    return { health: () => worker.health(), stop: this.#endWithTest(() => worker.stop(), close) };
  }

  /** Opens a supervisor without the chores of a worker. The test decides when it renews leases and takes devices. */
  openSupervisor(options: SupervisorOptions = {}): TestSupervisor {
    const { parts, close } = this.#workerParts(options);
    const { database, queue, capacity } = parts;
    const accountKeys = createAccountKeys(database, parts.sealer);
    const owner = newId('wrk');
    const supervisor = new DeviceSupervisor({
      owner,
      capacity,
      ...(options.now === undefined ? {} : { now: options.now }),
      resources: {
        ...parts,
        accountKeys,
        laneConnection: queue.openForLanes(),
        claimer: (options.wrapClaimer ?? ((claimer) => claimer))(createClaimer(database, accountKeys)),
        outcomes: (options.wrapOutcomes ?? ((outcomes) => outcomes))(createOutcomeWriter(database)),
        contactWriter: createContactWriter(database),
        inboundWriter: createInboundWriter(database, accountKeys),
        gate: createConnectGate(5),
        fillLane: options.fillLane ?? (() => undefined),
      },
    });
    return { owner, supervisor, stop: this.#endWithTest(() => supervisor.stop(), close) };
  }

  /** Returns a new device of this supervisor that is ready to send. */
  async sendingDevice({ supervisor }: TestSupervisor): Promise<Customer> {
    const worker = this.startWorker();
    const customer = await this.customer();
    await worker.stop();
    await supervisor.renew();
    await supervisor.balance();
    await waitUntil(() => supervisor.get(customer.deviceId)?.isSending, { what: 'the device sends' });
    return customer;
  }

  #endWithTest(stop: () => Promise<void>, close: () => Promise<void>): () => Promise<void> {
    const stopAndClose = async () => {
      try {
        await stop();
      } finally {
        await close();
      }
    };
    let ended: Promise<void> | null = null;
    const end = () => (ended ??= stopAndClose());
    this.#workers.add(end);
    return end;
  }

  async stopWorkers(): Promise<void> {
    const stops = [...this.#workers];
    this.#workers.clear();
    await Promise.all(stops.map((stop) => stop()));
  }

  /** Opens connections of the worker's own, through the proxies. */
  #workerParts(options: WorkerOptions) {
    const { ackTimeoutMs = 1_000, capacity = 100, wrapDriver = (driver) => driver } = options;
    const { reconnectDelay, webVersions, drivers = {}, roles = workerRoles } = options;
    const database = openDatabase({ url: this.postgres.url, poolSize: 8 });
    const queue = this.connectQueue(this.redis.url);
    const simulator = wrapDriver(createSimulatorDriver({ url: this.networkUrl, ackTimeoutMs }));
    const parts: WorkerParts = {
      roles,
      database,
      queue,
      capacity,
      webhookAddresses: 'loopback',
      retention: { messageDays: 400, textHours: 720, contactDays: 180, eventDays: 30 },
      sealer: this.sealer,
      ...(reconnectDelay === undefined ? {} : { reconnectDelay }),
      ...(webVersions === undefined ? {} : { webVersions }),
      drivers: { whatsapp: null, simulator, ...drivers },
      log: createLogger({ name: 'worker', level: process.env['KURIR_TEST_LOG'] ?? 'silent', pretty: false }),
    };
    const close = async () => {
      await queue.close();
      await database.close();
    };
    return { parts, close };
  }
}

/** Registers the file's fixture. Call the returned function inside tests. Workers end with the test that started them. */
export function useWorkerFixture(): () => WorkerFixture {
  vi.setConfig({ testTimeout: 2 * patienceMs });
  let fixture: WorkerFixture | undefined;
  beforeAll(async () => {
    fixture = new WorkerFixture(await makeParts());
    await fixture.openNetwork();
  });
  afterEach(async () => {
    await restoreAllProxies();
    await fixture?.stopWorkers();
    await fixture?.forgetDevices();
    await fixture?.network.ask('/faults', undefined, 'DELETE');
  });
  afterAll(() => fixture?.close());
  return () => {
    if (fixture === undefined) throw new Error('the fixture stands only inside tests');
    return fixture;
  };
}
