/** A worker that holds devices and sends nothing: how fast it connects them, and how much memory and CPU it uses. */
import { waitUntil } from '@kurir/testing';
import type { MeasuredProcess } from '../processes/measured-process.js';
import type { Setting } from '../processes/setting.js';
import { cpuMsOf } from '../readings/cpu-time.js';
import type { Memory } from '../readings/tell-memory.js';
import type { Ground } from './ground.js';
import { startWorker } from './measured-gateway.js';

export type Idle = Memory & { readonly devices: number };

const tellMemory = new URL('../readings/tell-memory.js', import.meta.url).href;
const connectedWithinMs = 120_000;
/** After this time the timers, pools and garbage of connecting are gone. */
const settleMs = 5_000;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The worker takes at most `capacity` devices. */
export function startMeasuredWorker(setting: Setting, ground: Ground, capacity: number): Promise<MeasuredProcess> {
  return startWorker(setting, ground, {
    KURIR_WORKER_CAPACITY: String(Math.max(1, capacity)),
    NODE_OPTIONS: `--import ${tellMemory}`,
  });
}

export async function databaseTime({ database }: Ground): Promise<Date> {
  const { rows } = await database.pool.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  return rows[0]?.now ?? new Date(Number.NaN);
}

/** Waits until `devices` devices are connected. Returns the milliseconds from `since` to each connection, in order. */
export async function untilConnected({ database }: Ground, devices: number, since: Date): Promise<number[]> {
  const read = async () => {
    const { rows } = await database.pool.query<{ at: Date }>(
      `SELECT state_at AS at FROM devices WHERE state = 'connected' AND state_at > $1 ORDER BY state_at`,
      [since],
    );
    return rows.length >= devices && rows.map(({ at }) => at.getTime() - since.getTime());
  };
  const what = `${devices} devices are connected again`;
  return waitUntil(read, { what, timeoutMs: connectedWithinMs, everyMs: 100 });
}

export async function readIdleMemory(worker: MeasuredProcess, devices: number): Promise<Idle> {
  await sleep(settleMs);
  return { devices, ...(await worker.ask<Memory>({})) };
}

/** CPU milliseconds per second while the worker is left alone; null if the operating system does not report them. */
export async function readIdleCpu(worker: MeasuredProcess, seconds: number): Promise<number | null> {
  const before = cpuMsOf(worker.pid);
  await sleep(seconds * 1000);
  const after = cpuMsOf(worker.pid);
  return before === null || after === null ? null : (after - before) / seconds;
}
