/**
 * The devices that are linked to a number, each with its outbox. There is one record per device id: linking again
 * replaces it.
 */
import { createHash } from 'node:crypto';
import { Outbox } from '../receiving/outbox.js';

export type LinkedDevice = {
  readonly deviceId: string;
  readonly number: string;
  readonly tokenSha256: string;
  readonly outbox: Outbox;
};

export class LinkedDevices {
  readonly #byId = new Map<string, LinkedDevice>();
  readonly #byToken = new Map<string, LinkedDevice>();
  readonly #byNumber = new Map<string, Set<LinkedDevice>>();

  link(deviceId: string, number: string, tokenSha256: string): void {
    this.unlink(deviceId);
    const device = { deviceId, number, tokenSha256, outbox: new Outbox() };
    this.#byId.set(deviceId, device);
    this.#byToken.set(tokenSha256, device);
    const companions = this.#byNumber.get(number) ?? new Set();
    this.#byNumber.set(number, companions.add(device));
  }

  unlink(deviceId: string): void {
    const device = this.#byId.get(deviceId);
    if (!device) return;
    this.#byId.delete(deviceId);
    this.#byToken.delete(device.tokenSha256);
    const companions = this.#byNumber.get(device.number);
    companions?.delete(device);
    if (companions?.size === 0) this.#byNumber.delete(device.number);
  }

  get(deviceId: string): LinkedDevice | undefined {
    return this.#byId.get(deviceId);
  }

  byToken(token: string): LinkedDevice | undefined {
    return this.#byToken.get(sha256(token));
  }

  ofNumber(number: string): readonly LinkedDevice[] {
    const companions = this.#byNumber.get(number);
    return companions ? [...companions] : [];
  }

  all(): Iterable<LinkedDevice> {
    return this.#byId.values();
  }
}

export function sha256(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
