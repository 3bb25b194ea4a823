/**
 * Links one device: one attempt at a time, by the method that is wanted now. The newest code is shown. A repeated request
 * shows the code again; a request for another method begins a new attempt.
 */
import type { LinkFailureReason } from '@kurir/contracts';
import { type DeviceIntent, writeLinkEnd, writePairingCode } from '@kurir/database';
import type { LinkAttempt, LinkEnd, LinkOptions } from '@kurir/network';
import type { DeviceLease } from '../leases/device-lease.js';
import type { DeviceNetwork } from './device-network.js';

export type Pairing = NonNullable<DeviceIntent['pairing']>;

export type DeviceLinkingEvents = {
  /** The credentials are stored. The listener writes that the device is linked. */
  readonly linked: (phoneNumber: string) => Promise<void>;
  /** An attempt ended without a link, which is stored. Not called if another attempt or request replaced it. */
  readonly notLinked: () => Promise<void>;
  /** The network refused the client version. */
  readonly clientRefused: () => void;
};

type Attempt = {
  readonly pairing: Pairing;
  readonly link: LinkAttempt;
  shown: { readonly code: string; readonly validUntil: Date } | null;
  isCancelled: boolean;
  hasEnded: boolean;
  /** Resolves when the end is stored. */
  over: Promise<void>;
};

/** An attempt whose end is being written is neither replaced nor repeated. */
function serves({ pairing, isCancelled, hasEnded }: Attempt, wanted: Pairing): boolean {
  const isSame = pairing.method === wanted.method && pairing.phoneNumber === wanted.phoneNumber;
  return hasEnded || (isSame && !isCancelled);
}

export class DeviceLinking {
  readonly #lease: DeviceLease;
  readonly #network: DeviceNetwork;
  readonly #events: DeviceLinkingEvents;
  #attempt: Attempt | null = null;
  #showing: Promise<void> = Promise.resolve();

  constructor(lease: DeviceLease, network: DeviceNetwork, events: DeviceLinkingEvents) {
    this.#lease = lease;
    this.#network = network;
    this.#events = events;
  }

  get isUnderWay(): boolean {
    return this.#attempt !== null;
  }

  /** Begins an attempt, unless one with this pairing runs. */
  request(pairing: Pairing): void {
    const present = this.#attempt;
    // A repeated request has removed the code from the row, so the code is written again.
    if (present !== null && serves(present, pairing)) return this.#show(present);
    this.restart();
    this.#start(pairing);
  }

  /** Ends the present attempt. The next request begins another one, also with the same pairing. */
  restart(): void {
    const present = this.#attempt;
    this.#attempt = null;
    present?.link.cancel();
  }

  cancel(): void {
    const present = this.#attempt;
    if (present === null) return;
    present.isCancelled = true;
    present.link.cancel();
  }

  /** Cancels, and waits until the end is stored: the phone may have linked the device in this moment. */
  async end(): Promise<void> {
    this.cancel();
    await this.#attempt?.over;
  }

  #start(pairing: Pairing): void {
    const { log } = this.#lease;
    log.info({ method: pairing.method }, 'linking started');
    const link = this.#link(pairing, (code, validUntil) => {
      attempt.shown = { code, validUntil };
      this.#show(attempt);
    });
    const attempt: Attempt = {
      pairing,
      link,
      shown: null,
      isCancelled: false,
      hasEnded: false,
      over: Promise.resolve(),
    };
    this.#attempt = attempt;
    attempt.over = link.end
      .then((end) => this.#ended(attempt, end))
      .catch((err: unknown) => log.warn({ err }, 'end of linking not written'));
  }

  #link({ method, phoneNumber }: Pairing, code: LinkOptions['code']): LinkAttempt {
    const { driver, credentials } = this.#network;
    const { deviceId, epoch } = this.#lease.token;
    const options = { deviceId, epoch, credentials, method, code };
    return driver.link(phoneNumber === null ? options : { ...options, phoneNumber });
  }

  /** Writes one code after the other, so that the newest one stays. Writes none after the end, which removes the code. */
  #show(attempt: Attempt): void {
    this.#showing = this.#showing
      .then(() => this.#writeCode(attempt))
      .catch((err: unknown) => this.#lease.log.warn({ err }, 'pairing code not written'));
  }

  async #writeCode(attempt: Attempt): Promise<void> {
    const { database, token } = this.#lease;
    const { shown, hasEnded } = attempt;
    if (this.#attempt !== attempt || hasEnded || shown === null) return;
    await writePairingCode(database, token, shown.code, shown.validUntil);
  }

  async #ended(attempt: Attempt, end: LinkEnd): Promise<void> {
    const isPresent = this.#attempt === attempt;
    this.#lease.log.info({ end: end.kind, replaced: !isPresent }, 'linking ended');
    attempt.hasEnded = true;
    if (end.kind === 'failed' && end.reason === 'client_outdated') this.#events.clientRefused();
    try {
      await this.#showing;
      if (end.kind === 'linked') await this.#events.linked(end.phoneNumber);
      else if (isPresent) await this.#writeEnd(attempt, end);
    } finally {
      // Only now: no attempt may begin while this end is being written.
      if (this.#attempt === attempt) this.#attempt = null;
    }
  }

  async #writeEnd({ shown }: Attempt, end: Exclude<LinkEnd, { kind: 'linked' }>): Promise<void> {
    const { database, token } = this.#lease;
    // The contract has a sentence for each failure reason of a driver.
    const detail: LinkFailureReason | undefined = end.kind === 'failed' ? end.reason : undefined;
    const written = await writeLinkEnd(database, token, {
      reason: `link_${end.kind}`,
      detail,
      cancelled: end.kind === 'cancelled',
      shownCode: shown?.code ?? null,
    });
    if (written === 'written') await this.#events.notLinked();
    if (written === 'lease-lost') this.#lease.lost();
  }
}
