/** Clients that are not linked yet, and the acknowledgements that the server waits for. */
import type { Connection } from '../wire/connection.js';
import type { Device } from '../devices/account.js';
import type { Registration } from '../wire/protobuf.js';
import type { Stanza } from '../wire/stanza.js';

export type PairingMethod = 'qr' | 'pairing_code';

export type LinkOptions = {
  /** Whether the stream ends with 515 after linking, as on WhatsApp. zapo-js 0.3.0 takes 515 for a forced logout. */
  readonly restart?: boolean;
};

export type Link = {
  readonly method: PairingMethod;
  readonly device: Device;
  readonly restart: boolean;
  linked(device: Device): void;
  failed(error: Error): void;
};

/** The part of a link that belongs to the waiting phone. */
export type LinkWaiter = Pick<Link, 'linked' | 'failed' | 'restart'>;

export type Refresh = { readonly taken: Promise<void>; take(): void };

export type Candidate = {
  readonly connection: Connection;
  readonly registration: Registration;
  /** The id of the stanza that offered the references. */
  readonly offerId: string;
  readonly references: readonly string[];
  /** Secrets of QR codes from before a registration refresh. */
  readonly retiredSecrets: Set<string>;
  /** Set by a registration refresh; `taken` resolves when the companion acknowledges it. */
  refresh: Refresh | null;
  /** Listeners for the id of each stanza that the client acknowledges. */
  readonly onAcknowledged: Set<(stanzaId: string) => void>;
  /** The client has closed. Its codes link nothing from now on. */
  isGone: boolean;
  /**
   * Identities that the server offered and the companion has not answered, by stanza id. The first that it confirms
   * counts.
   */
  readonly links: Map<string, Link>;
};

const refreshGraceMs = 500;

/**
 * Waits until the companion has acknowledged a refresh. The companion shows its new QR at the same moment, so a quick
 * scan may overtake the acknowledgement.
 */
export async function refreshTaken({ refresh }: Candidate): Promise<void> {
  if (!refresh) return;
  const late = newDeferred();
  const grace = setTimeout(() => {
    late.reject(new Error('the companion did not take the registration refresh'));
  }, refreshGraceMs);
  await Promise.race([refresh.taken, late.promise]).finally(() => clearTimeout(grace));
}

/** Resolves when the client has acknowledged this stanza `count` times. */
export function acknowledgements({ onAcknowledged }: Candidate, { attrs }: Stanza, count: number): Promise<void> {
  const { promise, resolve } = newDeferred();
  let heard = 0;
  const hear = (stanzaId: string): void => {
    if (stanzaId !== attrs['id']) return;
    heard += 1;
    if (heard < count) return;
    onAcknowledged.delete(hear);
    resolve();
  };
  onAcknowledged.add(hear);
  return promise;
}

export function newRefresh(): Refresh {
  const { promise, resolve } = newDeferred();
  return { taken: promise, take: resolve };
}

function newDeferred(): { promise: Promise<void>; resolve: () => void; reject: (error: Error) => void } {
  let resolve = (): void => undefined;
  let reject = (_error: Error): void => undefined;
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

export function closedTooSoon(): Error {
  return new Error('the companion closed before it was linked');
}
