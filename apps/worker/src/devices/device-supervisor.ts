/**
 * Supervises the devices that this worker holds: takes its fair share of the free devices, renews the leases, and releases
 * devices above its share. If it cannot renew for a while, it closes its sockets on its own clock, before Postgres gives the
 * devices to another worker.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeviceId } from '@kurir/contracts';
import {
  type DeviceIntent,
  forgetWorker,
  type Lease,
  readFairShare,
  readGivingWay,
  readIntents,
  releaseLeases,
  renewLeases,
  takeLeases,
} from '@kurir/database';
import { metrics } from '@kurir/metrics';
import type { DeviceResources } from './device-resources.js';
import { DeviceRuntime } from './device-runtime.js';
import { fenceAfterMs, handOverMs } from '../leases/time-limits.js';

/** The devices that are released in one round when another worker has room for them. */
const shedAtOnce = 5;
/** The sessions that one round closes so that their devices forget others. A request may name all devices. */
const forgettingAtOnce = 5;
/** While devices are handed over, the finished ones are released this often. */
const releaseEveryMs = 250;

export type DeviceSupervisorOptions = {
  readonly owner: string;
  readonly capacity: number;
  readonly resources: DeviceResources;
  /** Default: `performance.now`. */
  readonly now?: () => number;
};

export class DeviceSupervisor {
  readonly #owner: string;
  readonly #capacity: number;
  readonly #resources: DeviceResources;
  readonly #now: () => number;
  readonly #devices = new Map<DeviceId, DeviceRuntime>();
  #renewedAt: number;
  #renewing: Promise<void> = Promise.resolve();
  #balancing: Promise<void> = Promise.resolve();
  #nextBalance: Promise<void> | null = null;
  #stopping = false;

  constructor({ owner, capacity, resources, now }: DeviceSupervisorOptions) {
    this.#owner = owner;
    this.#capacity = capacity;
    this.#resources = resources;
    this.#now = now ?? performance.now.bind(performance);
    this.#renewedAt = this.#now();
  }

  get size(): number {
    return this.#devices.size;
  }

  get(deviceId: DeviceId): DeviceRuntime | undefined {
    return this.#devices.get(deviceId);
  }

  sending(): DeviceRuntime[] {
    return [...this.#devices.values()].filter((device) => device.isSending);
  }

  /**
   * Renews all leases, also while the worker stops, and closes devices whose lease is lost. The leases count from the time
   * before the statement.
   */
  renew(): Promise<void> {
    this.#renewing = this.#renew();
    return this.#renewing;
  }

  async #renew(): Promise<void> {
    const startedAt = this.#now();
    // The statement does not return devices that are taken while it runs.
    const renewing = [...this.#devices.values()];
    const renewed = await renewLeases(
      this.#resources.database,
      { owner: this.#owner, capacity: this.#stopping ? null : this.#capacity },
      renewing.map(({ lease }) => lease.token),
    );
    const held = new Map(renewed.map((lease) => [lease.deviceId, lease.epoch]));
    this.#renewedAt = startedAt;
    for (const device of renewing) if (held.get(device.lease.deviceId) !== device.lease.token.epoch) this.#drop(device);
  }

  /** No lease counts any more, because the worker could not renew them for so long. */
  isStale(): boolean {
    return this.#now() - this.#renewedAt > fenceAfterMs;
  }

  /** Closes all devices if the leases could not be renewed in time. */
  fenceIfStale(): void {
    if (this.#devices.size === 0 || this.#now() - this.#renewedAt <= fenceAfterMs) return;
    for (const device of this.#devices.values()) this.#drop(device);
  }

  /**
   * Takes free devices up to the fair share, or releases some; then reconciles the devices that it took. Only one call runs
   * at a time, so that it knows its devices. Callers during a run share the next run.
   */
  balance(): Promise<void> {
    this.#nextBalance ??= this.#balancing.then(() => {
      this.#nextBalance = null;
      return this.#balance();
    });
    this.#balancing = this.#nextBalance.catch(() => undefined);
    return this.#nextBalance;
  }

  async #balance(): Promise<void> {
    if (this.#stopping) return;
    const { database, log } = this.#resources;
    const [owner, capacity] = [this.#owner, this.#capacity];
    this.#releaseSuspended();
    const { share, othersHaveRoom } = await readFairShare(database, owner);
    if (othersHaveRoom && this.#devices.size > share) await this.#shed(this.#devices.size - share);
    if (this.#devices.size >= capacity) await this.#giveWay();
    if (this.#devices.size === 0) this.#renewedAt = this.#now();
    const startedAt = this.#now();
    const taken = await takeLeases(database, owner, this.#devices.size, share, capacity);
    if (this.#stopping)
      return releaseLeases(
        database,
        taken.map((lease) => this.#tokenOf(lease)),
      );
    await this.reconcile(
      taken.map((lease) => lease.deviceId),
      taken,
    );
    if (taken.length > 0)
      log.info(
        { taken: taken.length, held: this.#devices.size, tookMs: Math.round(this.#now() - startedAt) },
        'devices taken',
      );
  }

  /** Compares intent and state of the given devices, by default of all. `taken` are the leases of new ones. */
  async reconcile(
    deviceIds: readonly DeviceId[] = [...this.#devices.keys()],
    taken: readonly Lease[] = [],
  ): Promise<void> {
    if (deviceIds.length === 0) return;
    const leases = new Map(taken.map((lease) => [lease.deviceId, lease]));
    const readAt = performance.now();
    let forgetting = 0;
    const mayReconnect = () => forgetting++ < forgettingAtOnce;
    for (const intent of await readIntents(this.#resources.database, deviceIds)) {
      const lease = leases.get(intent.deviceId);
      if (lease !== undefined) {
        // This worker may still have it under an earlier lease that ran out unnoticed. A device has one session.
        this.#devices.get(intent.deviceId)?.fence();
        this.#devices.set(intent.deviceId, new DeviceRuntime(this.#tokenOf(lease), intent, this.#resources));
      }
      this.#reconcileOne(intent, readAt, mayReconnect);
    }
    await this.#releaseIdle();
  }

  /** Logs a failure of this device, so that it does not stop the others. */
  #reconcileOne(intent: DeviceIntent, readAt: number, mayReconnect: () => boolean): void {
    try {
      this.#devices.get(intent.deviceId)?.reconcile(intent, readAt, mayReconnect);
    } catch (err) {
      this.#resources.log.error({ err, deviceId: intent.deviceId }, 'device not brought in line');
    }
  }

  /** The worker has a newer client version. Devices that the network refused with an older one connect now. */
  clientChanged(): void {
    for (const device of this.#devices.values()) device.clientChanged();
  }

  /** Finishes the messages in flight and releases all devices. Calls `stopRenewing` once no lease is left. */
  async stop(stopRenewing: () => void = () => undefined): Promise<void> {
    this.#stopping = true;
    await Promise.all([this.#signOff(), this.#balancing, this.#release([...this.#devices.values()])]);
    // A balance that ran meanwhile may have taken devices.
    await this.#release([...this.#devices.values()]);
    stopRenewing();
    await this.#renewing.catch(() => undefined);
  }

  async #signOff(): Promise<void> {
    // A renewal that began earlier would register the worker again. It logs its own failure.
    await this.#renewing.catch(() => undefined);
    await forgetWorker(this.#resources.database, this.#owner).catch((err: unknown) =>
      this.#resources.log.warn({ err }, 'worker not signed off, its heartbeat runs out'),
    );
  }

  #tokenOf(lease: Lease) {
    return { deviceId: lease.deviceId, owner: this.#owner, epoch: lease.epoch };
  }

  #drop(device: DeviceRuntime): void {
    metrics.leasesLost.add({});
    this.#forget(device);
    device.fence();
  }

  #forget(device: DeviceRuntime): void {
    const { deviceId } = device.lease;
    if (this.#devices.get(deviceId) === device) this.#devices.delete(deviceId);
  }

  async #releaseIdle(): Promise<void> {
    await this.#release([...this.#devices.values()].filter((device) => device.isIdle));
  }

  /** Their messages wait until the operator ends the suspension. */
  #releaseSuspended(): void {
    const suspended = [...this.#devices.values()].filter(({ isSuspended, lease }) => isSuspended && !lease.isEnding);
    // Other devices do not wait for the last answers of these.
    this.#release(suspended).catch((err: unknown) => this.#resources.log.error({ err }, 'devices not given back'));
  }

  /** The worker is full: devices of accounts that do not pay make room for those that do. */
  async #giveWay(): Promise<void> {
    const ids = await readGivingWay(this.#resources.database, this.#owner, shedAtOnce);
    await this.#release(ids.flatMap((id) => this.#devices.get(id) ?? []));
  }

  async #shed(count: number): Promise<void> {
    await this.#release([...this.#devices.values()].slice(0, Math.min(count, shedAtOnce)));
  }

  /**
   * Hands the devices over at the same time, and releases each soon after it has finished. A device that waits for its last
   * answer does not delay the others. A device that does not finish in time is closed, and then released too.
   */
  async #release(devices: readonly DeviceRuntime[]): Promise<void> {
    const finished = new Set<DeviceRuntime>();
    const all = Promise.all(devices.map((device) => this.#handOver(device).then(() => finished.add(device))));
    for (let left = devices; left.length > 0; ) {
      await Promise.race([all, sleep(releaseEveryMs)]);
      const done = new Set(finished);
      await this.#releaseLeases(left.filter((device) => done.has(device)));
      left = left.filter((device) => !done.has(device));
    }
  }

  async #releaseLeases(devices: readonly DeviceRuntime[]): Promise<void> {
    if (devices.length === 0) return;
    for (const device of devices) this.#forget(device);
    const tokens = devices.map(({ lease }) => lease.token);
    await releaseLeases(this.#resources.database, tokens).catch((err: unknown) =>
      this.#resources.log.warn({ err, devices: tokens.length }, 'devices not given back, their leases run out'),
    );
  }

  async #handOver(device: DeviceRuntime): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<'late'>((resolve) => {
      timer = setTimeout(resolve, handOverMs, 'late');
    });
    try {
      const ended = await Promise.race([device.handOver(), deadline]);
      if (ended === 'late') device.close();
    } catch (err) {
      this.#resources.log.warn({ err, deviceId: device.lease.deviceId }, 'hand-over failed, closing');
      device.close();
    } finally {
      clearTimeout(timer);
    }
  }
}
