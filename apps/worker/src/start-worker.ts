/** Puts a worker together from open resources; `stop` undoes it in reverse order. */
import { setTimeout as sleep } from 'node:timers/promises';
import { newId, type WorkerId } from '@kurir/contracts';
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
import type { Drivers } from './networks/network-in-use.js';
import { createConnectGate } from './devices/connecting/connect-gate.js';
import { DeviceHolder } from './devices/hold-devices.js';
import type { ReconnectDelay } from './devices/connecting/reconnect-delay.js';
import { keepLeases, repeat, startChores } from './sweep/chores.js';
import { createLaneFiller, type Retention, type SweepParts } from './sweep/fill-devices.js';
import { storingMs } from './devices/time-limits.js';
import type { WebVersions } from './networks/web-versions.js';

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
  const fill = createLaneFiller(sweepParts);
  const stopLeases = keepLeases(holder, log);
  const stopChores = startChores(sweepParts);
  const stopVersions = tendVersions(parts.webVersions, holder, log);

  serveOthers(parts.queue, holder, owner, log);
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

/** Takes typing signals and wake-ups that other processes send to this worker. */
function serveOthers(queue: QueueConnection, holder: DeviceHolder, owner: WorkerId, log: Logger): void {
  const warn = (chore: string) => (err: unknown) => log.warn({ err, chore }, 'chore failed, will be tried again');
  servePresence(
    queue,
    owner,
    async ({ deviceId, recipient, action }) =>
      (await holder.get(deviceId)?.typing(recipient, action)) ?? 'not-connected',
    warn('presence'),
  ).catch(warn('presence'));
  serveWakeUps(queue, (deviceId) => {
    const changed = holder.get(deviceId) === undefined ? holder.balance() : holder.reconcile([deviceId]);
    changed.catch(warn('wake-up'));
  }).catch(warn('wake-up'));
}
