/** The role `devices`: holds devices and their sessions, sends messages, and moves waiting messages on. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkerId } from '@kurir/contracts';
import { createClaimer, createContactWriter, createInboundWriter, createOutcomeWriter } from '@kurir/database';
import type { Logger } from '@kurir/logging';
import { createLiveSignal, type QueueConnection, servePresence, serveWakeUps } from '@kurir/queue';
import { createConnectGate } from '../devices/connecting/connect-gate.js';
import { DeviceSupervisor } from '../devices/device-supervisor.js';
import { storingMs } from '../leases/time-limits.js';
import type { WebVersions } from '../networks/web-versions.js';
import { repeat, repeatAll } from '../sweep/chores.js';
import { deviceChores, keepLeases } from '../sweep/device-chores.js';
import { createLaneFiller, type SweepParts } from '../sweep/fill-devices.js';
import type { RoleParts } from './role-parts.js';

/** So many devices may connect at the same time. */
const connectAtOnce = 5;
/** How soon a worker uses a version that another worker learned, or looks a version up after a refusal. */
const tendVersionsMs = 2_000;

export type RunningDevices = {
  readonly supervisor: DeviceSupervisor;
  /** Finishes the messages in flight and releases all devices, so that other workers can take them. */
  stop(): Promise<void>;
};

export function startDevices(parts: RoleParts): RunningDevices {
  const { database, queue, accountKeys, owner, log } = parts;
  const signalLive = createLiveSignal(queue);
  const outcomes = createOutcomeWriter(database, signalLive);
  const devices: DeviceSupervisor = new DeviceSupervisor({
    owner,
    capacity: parts.capacity,
    resources: {
      ...parts,
      laneConnection: queue.openForLanes(),
      claimer: createClaimer(database, accountKeys),
      outcomes,
      contactWriter: createContactWriter(database),
      inboundWriter: createInboundWriter(database, accountKeys, signalLive),
      gate: createConnectGate(connectAtOnce),
      clientRefused: (version) => parts.webVersions?.refused(version),
      fillLane: (deviceId) => fill(deviceId),
    },
  });
  const sweepParts: SweepParts = { database, accountKeys, queue, devices, waitingSince: new Map(), log };
  const fill = createLaneFiller(sweepParts);
  const stopLeases = keepLeases(devices, log);
  const stopChores = repeatAll(deviceChores(sweepParts), log);
  const stopVersions = tendVersions(parts.webVersions, devices, log);
  serveOthers(queue, devices, owner, log);
  return {
    supervisor: devices,
    async stop() {
      stopChores();
      stopVersions();
      await devices.stop(stopLeases);
      // The network does not repeat an acknowledgement, so Postgres gets this time to store the last ones.
      await Promise.race([outcomes.idle(), sleep(storingMs, undefined, { ref: false })]);
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
