/** Puts a worker together from open resources; `stop` undoes it in reverse order. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type DeviceId, newId } from '@kurir/contracts';
import {
  createAccountKeys,
  createClaimer,
  createContactWriter,
  createOutcomeWriter,
  type Database,
  pingDatabase,
  type Sealer,
} from '@kurir/database';
import type { Logger } from '@kurir/logging';
import { createLiveBell, type QueueConnection, servePresence, serveWakeUps } from '@kurir/queue';
import type { Drivers } from './network-in-use.js';
import { createConnectGate } from './connect-gate.js';
import { DeviceHolder } from './hold-devices.js';
import type { ReconnectDelay } from './reconnect-delay.js';
import { fillDevices, keepLeases, repeat, type Retention, startChores, type SweepParts } from './sweep.js';
import { storingMs } from './time-limits.js';
import type { WebVersions } from './web-versions.js';

export type WorkerParts = {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly queue: QueueConnection;
  readonly drivers: Drivers;
  readonly capacity: number;
  readonly retention: Retention;
  /** Of WhatsApp's client, kept fresh from here on; none where no driver asks for them. */
  readonly webVersions?: WebVersions;
  /** For each device, the time between its connections; the usual backoff when left out. */
  readonly reconnectDelay?: () => ReconnectDelay;
  readonly log: Logger;
};

export type RunningWorker = {
  /** Rejects when the worker cannot work. */
  check(): Promise<void>;
  /** Finishes what is in flight and gives all devices to other workers. */
  stop(): Promise<void>;
};

/** Devices that connect at the same time. */
const connectAtOnce = 5;
/** How soon a worker appears as a version that another one learned, or asks after a refusal. */
const tendVersionsMs = 2_000;

export function startWorker(parts: WorkerParts): RunningWorker {
  const owner = newId('wrk');
  const log = parts.log.child({ worker: owner });
  const warn = (chore: string) => (err: unknown) => log.warn({ err, chore }, 'chore failed, will be tried again');
  const accountKeys = createAccountKeys(parts.database, parts.sealer);
  const outcomes = createOutcomeWriter(parts.database, createLiveBell(parts.queue));
  const holder: DeviceHolder = new DeviceHolder({
    database: parts.database,
    owner,
    capacity: parts.capacity,
    parts: {
      ...parts,
      log,
      laneConnection: parts.queue.patient(),
      accountKeys,
      claimer: createClaimer(parts.database, accountKeys),
      outcomes,
      contacts: createContactWriter(parts.database),
      gate: createConnectGate(connectAtOnce),
      clientRefused: (version) => parts.webVersions?.refused(version),
      fillLane: (deviceId) => fill(deviceId),
    },
  });
  const sweepParts: SweepParts = {
    database: parts.database,
    queue: parts.queue,
    holder,
    retention: parts.retention,
    waitingSince: new Map(),
    log,
  };
  const filling = new Map<DeviceId, { again: boolean }>();
  function fill(deviceId: DeviceId): void {
    const running = filling.get(deviceId);
    // It may have looked already, before what this call is for was committed.
    if (running !== undefined) running.again = true;
    else fillNow(deviceId).catch(warn('fill lane'));
  }
  async function fillNow(deviceId: DeviceId): Promise<void> {
    const running = { again: false };
    filling.set(deviceId, running);
    try {
      do {
        running.again = false;
        await fillDevices(sweepParts, [deviceId], 0);
      } while (running.again);
    } finally {
      filling.delete(deviceId);
    }
  }
  const stopLeases = keepLeases(holder, log);
  const stopChores = startChores(sweepParts);
  const stopVersions = tendVersions(parts.webVersions, holder, log);

  servePresence(
    parts.queue,
    owner,
    async ({ deviceId, recipient, action }) =>
      (await holder.get(deviceId)?.typing(recipient, action)) ?? 'not-connected',
    warn('presence'),
  ).catch(warn('presence'));
  serveWakeUps(parts.queue, (deviceId) => {
    const changed = holder.get(deviceId) === undefined ? holder.balance() : holder.reconcile([deviceId]);
    changed.catch(warn('wake-up'));
  }).catch(warn('wake-up'));

  log.info('worker started');
  return {
    async check() {
      if (holder.isStale()) throw new Error('the leases could not be renewed');
      await pingDatabase(parts.database);
    },
    async stop() {
      log.info({ held: holder.size }, 'worker stopping');
      stopChores();
      stopVersions();
      await holder.stop(stopLeases);
      // An acknowledgement is told once; a database that is away gets its chance and no more.
      await Promise.race([outcomes.idle(), sleep(storingMs, undefined, { ref: false })]);
      log.info('worker stopped');
    },
  };
}

function tendVersions(versions: WebVersions | undefined, holder: DeviceHolder, log: Logger): () => void {
  if (versions === undefined) return () => undefined;
  versions.onChange(() => holder.clientChanged());
  const run = (signal: AbortSignal) => versions.tend(signal);
  return repeat({ name: 'web version', everyMs: tendVersionsMs, run }, log);
}
