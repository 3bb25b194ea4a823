/** The outcomes of refusing acknowledgements, by the `error` of `<ack class="message">`. */
import type { NotSentReason, SendOutcome } from '@kurir/network';
import type { DriverLog } from './driver-log.js';

export const SOON_MS = 1_000;
export const UNANSWERED_MS = 10_000;
export const BUSY_MS = 30_000;
export const RATE_MS = 60_000;
const RESTRICTED_MS = 3_600_000;
const NO_TOKEN_MS = 3_600_000;

export const STALE_DEVICES = '479';
/**
 * The network restricts the account, or the address has the wrong kind (Baileys #2683), or the recipient requires a
 * token (WAHA #2219). The code is the same.
 */
export const NOT_ALLOWED = '463';
/** Also sent for an address of the wrong kind, if the account is not migrated (whatsapp-rust #941). */
const MALFORMED = '400';

/** Whether another address of the recipient may avoid this refusal. */
export function isOfAddress(error: string): boolean {
  return error === NOT_ALLOWED || error === MALFORMED;
}

export type Refusal = {
  readonly error: string;
  /**
   * This message was refused with 479 before, and the driver has asked again for the devices of its recipient since.
   */
  readonly staleBefore: boolean;
  /**
   * Set when the account may not write to new contacts now. `until` is null when the network did not say when that
   * ends.
   */
  readonly restriction: { readonly until: Date | null } | null;
  /** The network refused both addresses of the recipient for certain. */
  readonly wereBothRefused: boolean;
};

export function outcomeOfRefusal(refusal: Refusal, now = Date.now()): SendOutcome {
  const { error, staleBefore, wereBothRefused } = refusal;
  switch (error) {
    case NOT_ALLOWED:
      return notAllowed(refusal, now);
    case MALFORMED:
      return never(wereBothRefused ? 'recipient_address_refused' : 'rejected_by_network');
    case STALE_DEVICES:
      return staleBefore ? never('rejected_by_network') : retryAfter(SOON_MS, 'temporarily_unavailable');
    case '429':
      return retryAfter(RATE_MS, 'rate_limited_by_network');
    case '404':
      return never('recipient_unavailable');
    case '500':
    case '503':
      return retryAfter(BUSY_MS, 'temporarily_unavailable');
    default:
      // 403, 475 and the other 4xx: the network would refuse the same stanza again. Unknown 5xx: a failure of the
      // server.
      return error.startsWith('5') ? retryAfter(BUSY_MS, 'temporarily_unavailable') : never('rejected_by_network');
  }
}

/**
 * The outcome when the network refused a query before the message, for example for the recipient's devices. Nothing of
 * the message was written.
 */
export function outcomeOfRefusedQuery(error: unknown, log: DriverLog): SendOutcome {
  const code = codeOfRefusedQuery(error);
  // The connection closed, the store rejected, or this driver has a defect.
  if (code === null) log.warn({ err: error }, 'a message could not be made ready');
  return code === 429 ? retryAfter(RATE_MS, 'rate_limited_by_network') : retryAfter(BUSY_MS, 'temporarily_unavailable');
}

/** Null when the error is no refusal of the network. */
export function codeOfRefusedQuery(error: unknown): number | null {
  // Baileys throws a Boom. The network's code is in `data`; `output.statusCode` is always 500.
  const code = (error as { data?: unknown } | null)?.data;
  return typeof code === 'number' ? code : null;
}

function never(reason: NotSentReason): SendOutcome {
  return { kind: 'not-sent', permanent: true, reason };
}

function notAllowed({ restriction }: Refusal, now: number): SendOutcome {
  if (restriction === null) return retryAfter(NO_TOKEN_MS, 'recipient_token_required');
  const until = restriction.until?.getTime() ?? now + RESTRICTED_MS;
  return retryAfter(Math.max(SOON_MS, until - now), 'new_contacts_restricted');
}

export function retryAfter(retryAfterMs: number, reason: NotSentReason): SendOutcome {
  return { kind: 'not-sent', permanent: false, reason, retryAfterMs };
}
