/**
 * Which devices this worker holds: takes its fair share of the free ones, renews its leases, gives back what it
 * has too much of. A worker that could not renew for a while closes its sockets by its own clock, before the
 * database lets another worker have its devices.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeviceId } from '@kurir/contracts';
import {
  type Database,
  type DeviceIntent,
  forgetWorker,
  type HeldDevice as Lease,
  readFairShare,
  readIntents,
  releaseLeases,
  renewLeases,
  takeLeases,
} from '@kurir/database';
import { HeldDevice, type HeldDeviceParts } from './held-device.js';
import { fenceAfterMs, handOverMs } from './time-limits.js';

/** Devices given back at a time when another worker has room for them. */
const shedAtOnce = 5;
/** Sessions that one round closes so that their devices forget others: a wish may be about a whole fleet. */
const forgettingAtOnce = 5;
/** Of several devices that are handed over, those that are over are given back this often. */
const giveBackEveryMs = 250;

export type DeviceHolderOptions = {
  readonly database: Database;
  readonly owner: string;
  readonly capacity: number;
  readonly parts: HeldDeviceParts;
  readonly now?: () => number;
};

export class DeviceHolder {
  readonly #options: DeviceHolderOptions;
  readonly #now: () => number;
  readonly #devices = new Map<DeviceId, HeldDevice>();
  #renewedAt: number;
  #renewing: Promise<void> = Promise.resolve();
  #balancing: Promise<void> = Promise.resolve();
  #nextBalance: Promise<void> | null = null;
  #stopping = false;

  constructor(options: DeviceHolderOptions) {
    this.#options = options;
    this.#now = options.now ?? performance.now.bind(performance);
    this.#renewedAt = this.#now();
  }

  get size(): number {
    return this.#devices.size;
  }

  get(deviceId: DeviceId): HeldDevice | undefined {
    return this.#devices.get(deviceId);
  }

  sending(): HeldDevice[] {
    return [...this.#devices.values()].filter((device) => device.isSending);
  }

  /**
   * Renews all leases, also while it stops; a device that is no longer ours is closed. The time counts from before the
   * statement.
   */
  renew(): Promise<void> {
    this.#renewing = this.#renew();
    return this.#renewing;
  }

  async #renew(): Promise<void> {
    const { database, owner, capacity } = this.#options;
    const startedAt = this.#now();
    // A device that is taken while the statement runs is not in its answer.
    const renewing = [...this.#devices.values()];
    const renewed = await renewLeases(
      database,
      { owner, capacity: this.#stopping ? null : capacity },
      renewing.map((device) => device.holder),
    );
    const held = new Map(renewed.map((lease) => [lease.deviceId, lease.epoch]));
    this.#renewedAt = startedAt;
    for (const device of renewing) if (held.get(device.holder.deviceId) !== device.holder.epoch) this.#drop(device);
  }

  /** The leases could not be renewed for so long that none counts any more. */
  isStale(): boolean {
    return this.#now() - this.#renewedAt > fenceAfterMs;
  }

  /** Closes everything when the leases could not be renewed in time. */
  fenceIfStale(): void {
    if (this.#devices.size === 0 || this.#now() - this.#renewedAt <= fenceAfterMs) return;
    for (const device of this.#devices.values()) this.#drop(device);
  }

  /**
   * Takes free devices up to the fair share, or gives some back; then brings all in line with what is wanted. One at a
   * time, so that it knows what it holds; who asks while one runs shares the next one.
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
    const { database, owner, capacity } = this.#options;
    const { share, othersHaveRoom } = await readFairShare(database, owner);
    if (othersHaveRoom && this.#devices.size > share) await this.#shed(this.#devices.size - share);
    if (this.#devices.size === 0) this.#renewedAt = this.#now();
    const startedAt = this.#now();
    const taken = await takeLeases(database, owner, this.#devices.size, share, capacity);
    if (this.#stopping)
      return releaseLeases(
        database,
        taken.map((lease) => this.#holderOf(lease)),
      );
    await this.reconcile(
      taken.map((lease) => lease.deviceId),
      taken,
    );
    if (taken.length > 0)
      this.#options.parts.log.info(
        { taken: taken.length, held: this.#devices.size, tookMs: Math.round(this.#now() - startedAt) },
        'devices taken',
      );
  }

  /** Compares intent and state of the given devices (all held ones by default). */
  async reconcile(
    deviceIds: readonly DeviceId[] = [...this.#devices.keys()],
    taken: readonly Lease[] = [],
  ): Promise<void> {
    if (deviceIds.length === 0) return;
    const epochs = new Map(taken.map((lease) => [lease.deviceId, lease]));
    const readAt = performance.now();
    let forgetting = 0;
    const mayReconnect = () => forgetting++ < forgettingAtOnce;
    for (const intent of await readIntents(this.#options.database, deviceIds)) {
      const lease = epochs.get(intent.deviceId);
      if (lease !== undefined) {
        // It may be ours from before, when its lease ran out unnoticed: one session per device.
        this.#devices.get(intent.deviceId)?.fence();
        this.#devices.set(intent.deviceId, new HeldDevice(this.#holderOf(lease), intent, this.#options.parts));
      }
      this.#reconcileOne(intent, readAt, mayReconnect);
    }
    await this.#releaseIdle();
  }

  /** One device's trouble is its own: the others are brought in line all the same. */
  #reconcileOne(intent: DeviceIntent, readAt: number, mayReconnect: () => boolean): void {
    try {
      this.#devices.get(intent.deviceId)?.reconcile(intent, readAt, mayReconnect);
    } catch (err) {
      this.#options.parts.log.error({ err, deviceId: intent.deviceId }, 'device not brought in line');
    }
  }

  /** Devices that were refused with an older client connect at once. */
  clientChanged(): void {
    for (const device of this.#devices.values()) device.clientChanged();
  }

  /** Finishes what is in flight and gives every device back. `stopRenewing`: called once no lease is left. */
  async stop(stopRenewing: () => void = () => undefined): Promise<void> {
    this.#stopping = true;
    await Promise.all([this.#signOff(), this.#balancing, this.#release([...this.#devices.values()])]);
    // What it had taken in that moment.
    await this.#release([...this.#devices.values()]);
    stopRenewing();
    await this.#renewing.catch(() => undefined);
  }

  async #signOff(): Promise<void> {
    // A renewal that began before signs on again; it logs its own failure.
    await this.#renewing.catch(() => undefined);
    await forgetWorker(this.#options.database, this.#options.owner).catch((err: unknown) =>
      this.#options.parts.log.warn({ err }, 'worker not signed off, its heartbeat runs out'),
    );
  }

  #holderOf(lease: Lease) {
    return { deviceId: lease.deviceId, owner: this.#options.owner, epoch: lease.epoch };
  }

  #drop(device: HeldDevice): void {
    this.#forget(device);
    device.fence();
  }

  #forget(device: HeldDevice): void {
    if (this.#devices.get(device.holder.deviceId) === device) this.#devices.delete(device.holder.deviceId);
  }

  async #releaseIdle(): Promise<void> {
    await this.#release([...this.#devices.values()].filter((device) => device.isIdle));
  }

  async #shed(count: number): Promise<void> {
    await this.#release([...this.#devices.values()].slice(0, Math.min(count, shedAtOnce)));
  }

  /**
   * Hands over together and gives back what is over, so that a device that waits for its last answer holds up no other.
   * One that does not finish in time is closed, and given back all the same.
   */
  async #release(devices: readonly HeldDevice[]): Promise<void> {
    const over = new Set<HeldDevice>();
    const all = Promise.all(devices.map((device) => this.#handOver(device).then(() => over.add(device))));
    for (let left = devices; left.length > 0; ) {
      await Promise.race([all, sleep(giveBackEveryMs)]);
      const done = new Set(over);
      await this.#giveBack(left.filter((device) => done.has(device)));
      left = left.filter((device) => !done.has(device));
    }
  }

  async #giveBack(devices: readonly HeldDevice[]): Promise<void> {
    if (devices.length === 0) return;
    for (const device of devices) this.#forget(device);
    const holders = devices.map((device) => device.holder);
    await releaseLeases(this.#options.database, holders).catch((err: unknown) =>
      this.#options.parts.log.warn({ err, devices: holders.length }, 'devices not given back, their leases run out'),
    );
  }

  async #handOver(device: HeldDevice): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<'late'>((resolve) => {
      timer = setTimeout(resolve, handOverMs, 'late');
    });
    try {
      const ended = await Promise.race([device.handOver(), deadline]);
      if (ended === 'late') device.close();
    } catch (err) {
      this.#options.parts.log.warn({ err, deviceId: device.holder.deviceId }, 'hand-over failed, closing');
      device.close();
    } finally {
      clearTimeout(timer);
    }
  }
}
