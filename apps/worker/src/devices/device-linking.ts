/**
 * Linking of one held device: one attempt at a time, in the way that is wanted now, its newest code shown. Asked for
 * again it shows the code again; asked for in another way it begins anew.
 */
import type { LinkFailureReason } from '@kurir/contracts';
import { type Database, type DeviceIntent, type Holder, writeLinkEnd, writePairingCode } from '@kurir/database';
import type { Logger } from '@kurir/logging';
import type { CredentialStore, Driver, LinkAttempt, LinkEnd, LinkOptions } from '@kurir/network';

export type Pairing = NonNullable<DeviceIntent['pairing']>;

export type DeviceLinkingContext = {
  readonly database: Database;
  readonly holder: Holder;
  readonly driver: Driver;
  readonly credentials: CredentialStore;
  /** The credentials are stored; that the device is linked is to be written. */
  readonly linked: (phoneNumber: string) => Promise<void>;
  /** An attempt ended without a link, which is written; not told of one that was replaced, or was asked for again. */
  readonly notLinked: () => Promise<void>;
  /** The network refused the version of its client. */
  readonly clientRefused: () => void;
  readonly leaseLost: () => void;
  readonly log: Logger;
};

type Attempt = {
  readonly pairing: Pairing;
  readonly link: LinkAttempt;
  shown: { readonly code: string; readonly validUntil: Date } | null;
  isCancelled: boolean;
  hasEnded: boolean;
  /** Resolves when the end is written. */
  over: Promise<void>;
};

/** While its end is being written, it is neither replaced nor begun anew. */
function isStillGood({ pairing, isCancelled, hasEnded }: Attempt, wanted: Pairing): boolean {
  const isSame = pairing.method === wanted.method && pairing.phoneNumber === wanted.phoneNumber;
  return hasEnded || (isSame && !isCancelled);
}

export class DeviceLinking {
  readonly #context: DeviceLinkingContext;
  #attempt: Attempt | null = null;
  #showing: Promise<void> = Promise.resolve();

  constructor(context: DeviceLinkingContext) {
    this.#context = context;
  }

  get isUnderWay(): boolean {
    return this.#attempt !== null;
  }

  want(pairing: Pairing): void {
    const present = this.#attempt;
    // Whoever asks again has taken the code from the row and sees none until it changes.
    if (present !== null && isStillGood(present, pairing)) return this.#show(present);
    this.restart();
    this.#start(pairing);
  }

  /** Ends the attempt that is under way in vain; the same way is begun anew when it is wanted again. */
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

  /** Cancels, and waits until the end is written: the phone may have linked the device in this moment. */
  async end(): Promise<void> {
    this.cancel();
    await this.#attempt?.over;
  }

  #start(pairing: Pairing): void {
    const { log } = this.#context;
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
    const { driver, holder, credentials } = this.#context;
    const { deviceId, epoch } = holder;
    const options = { deviceId, epoch, credentials, method, code };
    return driver.link(phoneNumber === null ? options : { ...options, phoneNumber });
  }

  /** One write after the other, so that the newest code stays; none after the end, which takes the code away. */
  #show(attempt: Attempt): void {
    this.#showing = this.#showing
      .then(() => this.#writeCode(attempt))
      .catch((err: unknown) => this.#context.log.warn({ err }, 'pairing code not written'));
  }

  async #writeCode(attempt: Attempt): Promise<void> {
    const { database, holder } = this.#context;
    const { shown, hasEnded } = attempt;
    if (this.#attempt !== attempt || hasEnded || shown === null) return;
    await writePairingCode(database, holder, shown.code, shown.validUntil);
  }

  async #ended(attempt: Attempt, end: LinkEnd): Promise<void> {
    const isPresent = this.#attempt === attempt;
    this.#context.log.info({ end: end.kind, replaced: !isPresent }, 'linking ended');
    attempt.hasEnded = true;
    if (end.kind === 'failed' && end.reason === 'client_outdated') this.#context.clientRefused();
    try {
      await this.#showing;
      if (end.kind === 'linked') await this.#context.linked(end.phoneNumber);
      else if (isPresent) await this.#writeEnd(attempt, end);
    } finally {
      // Not before: while the end is being written, nothing begins anew.
      if (this.#attempt === attempt) this.#attempt = null;
    }
  }

  async #writeEnd({ shown }: Attempt, end: Exclude<LinkEnd, { kind: 'linked' }>): Promise<void> {
    const { database, holder, notLinked, leaseLost } = this.#context;
    // Each way in which a driver says that linking failed has its sentence in the contract.
    const detail: LinkFailureReason | undefined = end.kind === 'failed' ? end.reason : undefined;
    const written = await writeLinkEnd(database, holder, {
      reason: `link_${end.kind}`,
      detail,
      cancelled: end.kind === 'cancelled',
      shownCode: shown?.code ?? null,
    });
    if (written === 'written') await notLinked();
    if (written === 'lease-lost') leaseLost();
  }
}
