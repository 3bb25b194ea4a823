/**
 * The model of the product: the time, the lease, the accepted messages, and the tries without an answer. It decides nothing
 * about the product's states. `verifier.ts` compares the two.
 */
import { leaseTtlMs } from '@kurir/database';
import type { DeviceId, MessageId } from '@kurir/contracts';

export type Accepted = {
  readonly id: MessageId;
  readonly seq: bigint;
  readonly text: string;
  readonly recipient: string;
  readonly priority: number;
  readonly sendAt: number | null;
  readonly expiresAt: number | null;
  /** The tries that workers began. */
  attempts: number;
  /** The tries whose end no worker has stored. */
  openTries: number;
  /** The tries that workers wrote to the network. */
  written: number;
  cancelledAt: number | null;
};

export type Lease = { readonly owner: string | null; readonly epoch: bigint; readonly expiresAt: number };

export class Expected {
  readonly deviceId: DeviceId;
  now = 0;
  lease: Lease = { owner: null, epoch: 0n, expiresAt: 0 };
  linked = true;
  wanted = true;
  /** The device keeps a pace, types before its texts, and its network limits messages to new contacts. */
  readonly polite: boolean;
  /** Something went wrong in this run. Only then may a message end as `unknown`. */
  faulty = false;
  readonly accepted: Accepted[] = [];
  readonly violations: string[] = [];

  constructor(deviceId: DeviceId, polite: boolean) {
    this.deviceId = deviceId;
    this.polite = polite;
  }

  byId(id: string): Accepted | undefined {
    return this.accepted.find((message) => message.id === id);
  }

  holds(owner: string, epoch: bigint): boolean {
    return this.lease.owner === owner && this.lease.epoch === epoch && this.lease.expiresAt > this.now;
  }

  get isFree(): boolean {
    return this.lease.owner === null || this.lease.expiresAt <= this.now;
  }

  took(owner: string, epoch: bigint): void {
    this.demand(this.isFree, 'a lease that runs was taken');
    this.demand(this.linked || this.wanted, 'a device that nobody wants linked was taken');
    this.demand(epoch === this.lease.epoch + 1n, 'taking a lease did not raise its epoch by one');
    this.lease = { owner, epoch, expiresAt: this.now + leaseTtlMs };
  }

  renewed(owner: string, epoch: bigint): void {
    this.demand(this.holds(owner, epoch), 'a lease was renewed by somebody who does not hold it');
    this.lease = { ...this.lease, expiresAt: this.now + leaseTtlMs };
  }

  /** Ignores a release by another owner. An expired lease still belongs to its last owner. */
  released(owner: string, epoch: bigint): void {
    if (this.lease.owner !== owner || this.lease.epoch !== epoch) return;
    this.lease = { owner: null, epoch, expiresAt: this.now };
  }

  unlinked(): void {
    this.linked = false;
    this.wanted = false;
  }

  demand(holds: boolean, otherwise: string): void {
    if (!holds) this.violations.push(otherwise);
  }
}
