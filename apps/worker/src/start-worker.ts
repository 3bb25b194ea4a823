/** Builds a worker from open resources. `stop` undoes it in reverse order. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AddressPolicy } from '@kurir/address-guard';
import { newId, type WorkerId } from '@kurir/contracts';
import {
  createAccountKeys,
  createClaimer,
  createContactWriter,
  createInboundWriter,
  createOutcomeWriter,
  type Database,
  type Sealer,
} from '@kurir/database';
import type { Logger } from '@kurir/logging';
import { createLiveSignal, type QueueConnection, servePresence, serveWakeUps } from '@kurir/queue';
import { watchHealth, type WorkerHealth } from './health/worker-health.js';
import type { Drivers } from './networks/network-in-use.js';
import { createConnectGate } from './devices/connecting/connect-gate.js';
import { DeviceSupervisor } from './devices/device-supervisor.js';
import type { ReconnectDelay } from './devices/connecting/reconnect-delay.js';
import { keepLeases, repeat, startChores } from './sweep/chores.js';
import { createLaneFiller, type Retention, type SweepParts } from './sweep/fill-devices.js';
import { storingMs } from './leases/time-limits.js';
import { startPlanning } from './audiences/start-planning.js';
import { startImports } from './contacts/start-imports.js';
import { startWebhooks } from './webhooks/start-webhooks.js';
import type { WebVersions } from './networks/web-versions.js';

export type WorkerParts = {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly queue: QueueConnection;
  readonly drivers: Drivers;
  readonly capacity: number;
  readonly retention: Retention;
  /** Which addresses webhooks may have. */
  readonly webhookAddresses: AddressPolicy;
  /** The versions of WhatsApp's client, which the worker keeps up to date. Left out if no driver uses them. */
  readonly webVersions?: WebVersions;
  /** Creates the delay between the connections of one device. Default: the usual backoff. */
  readonly reconnectDelay?: () => ReconnectDelay;
  readonly log: Logger;
};

export type RunningWorker = {
  health(): Promise<WorkerHealth>;
  /** Finishes the messages in flight and releases all devices, so that other workers can take them. */
  stop(): Promise<void>;
};

/** So many devices may connect at the same time. */
const connectAtOnce = 5;
/** How soon a worker uses a version that another worker learned, or looks a version up after a refusal. */
const tendVersionsMs = 2_000;

export function startWorker(parts: WorkerParts): RunningWorker {
  const owner = newId('wrk');
  const log = parts.log.child({ worker: owner });
  const accountKeys = createAccountKeys(parts.database, parts.sealer);
  const signalLive = createLiveSignal(parts.queue);
  const outcomes = createOutcomeWriter(parts.database, signalLive);
  const devices: DeviceSupervisor = new DeviceSupervisor({
    owner,
    capacity: parts.capacity,
    resources: {
      ...parts,
      log,
      laneConnection: parts.queue.patient(),
      accountKeys,
      claimer: createClaimer(parts.database, accountKeys),
      outcomes,
      contactWriter: createContactWriter(parts.database),
      inboundWriter: createInboundWriter(parts.database, accountKeys, signalLive),
      gate: createConnectGate(connectAtOnce),
      clientRefused: (version) => parts.webVersions?.refused(version),
      fillLane: (deviceId) => fill(deviceId),
    },
  });
  const sweepParts: SweepParts = {
    database: parts.database,
    accountKeys,
    queue: parts.queue,
    devices,
    retention: parts.retention,
    waitingSince: new Map(),
    log,
  };
  const fill = createLaneFiller(sweepParts);
  const stopLeases = keepLeases(devices, log);
  const stopChores = startChores(sweepParts);
  const { database, sealer, queue, webhookAddresses: policy } = parts;
  const { eventDays } = parts.retention;
  const stopWebhooks = startWebhooks({ owner, database, sealer, accountKeys, queue, policy, eventDays, log });
  const stopImports = startImports({ owner, database, log });
  const stopPlanning = startPlanning({ owner, database, accountKeys, log });
  const stopVersions = tendVersions(parts.webVersions, devices, log);
  const health = watchHealth({ database, queue, devices, capacity: parts.capacity, log });

  serveOthers(parts.queue, devices, owner, log);
  log.info('worker started');
  return {
    health: () => health.read(),
    async stop() {
      log.info({ held: devices.size }, 'worker stopping');
      stopChores();
      stopVersions();
      health.stop();
      await Promise.all([devices.stop(stopLeases), stopWebhooks(), stopImports(), stopPlanning()]);
      // The network does not repeat an acknowledgement, so Postgres gets this time to store the last ones.
      await Promise.race([outcomes.idle(), sleep(storingMs, undefined, { ref: false })]);
      log.info('worker stopped');
    },
  };
}

function tendVersions(versions: WebVersions | undefined, devices: DeviceSupervisor, log: Logger): () => void {
  if (versions === undefined) return () => undefined;
  versions.onChange(() => devices.clientChanged());
  const run = (signal: AbortSignal) => versions.tend(signal);
  return repeat({ name: 'web version', everyMs: tendVersionsMs, run }, log);
}

/** Serves the typing signals and wake-ups that other processes send to this worker. */
function serveOthers(queue: QueueConnection, devices: DeviceSupervisor, owner: WorkerId, log: Logger): void {
  const warn = (chore: string) => (err: unknown) => log.warn({ err, chore }, 'chore failed, will be tried again');
  servePresence(
    queue,
    owner,
    async ({ deviceId, recipient, action }) =>
      (await devices.get(deviceId)?.typing(recipient, action)) ?? 'not-connected',
    warn('presence'),
  ).catch(warn('presence'));
  serveWakeUps(queue, (deviceId) => {
    const changed = devices.get(deviceId) === undefined ? devices.balance() : devices.reconcile([deviceId]);
    changed.catch(warn('wake-up'));
  }).catch(warn('wake-up'));
}
