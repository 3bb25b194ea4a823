/** What a refusing acknowledgement means: `error` of `<ack class="message">`, and what the customer's job says. */
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
 * Three meanings, one code: the account is restricted, the address is in the wrong namespace (Baileys #2683), or the
 * recipient takes a message only with a token (WAHA #2219).
 */
export const NOT_ALLOWED = '463';
/** Also of an address in the wrong namespace, where the account is not migrated (whatsapp-rust #941). */
const MALFORMED = '400';

/** Refusals that another address of the recipient may avoid. */
export function isOfAddress(error: string): boolean {
  return error === NOT_ALLOWED || error === MALFORMED;
}

export type Refusal = {
  readonly error: string;
  /** This message was refused with 479 before, and its recipient's devices have been asked for anew since. */
  readonly staleBefore: boolean;
  /** The account may not write to strangers now; `until` is null when the network did not say when that ends. */
  readonly restriction: { readonly until: Date | null } | null;
  /** Both addresses of the recipient were refused, each definitely. */
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
      // 403, 475 and the rest of the 4xx: the same stanza would be refused again. Unknown 5xx: the server's trouble.
      return error.startsWith('5') ? retryAfter(BUSY_MS, 'temporarily_unavailable') : never('rejected_by_network');
  }
}

/** A question (is this number on WhatsApp, which devices has it) was refused. Nothing of the message was written. */
export function outcomeOfRefusedQuery(error: unknown, log: DriverLog): SendOutcome {
  const code = codeOfRefusedQuery(error);
  // A connection that closed, a store that refused, or a fault of ours.
  if (code === null) log.warn({ err: error }, 'a message could not be made ready');
  return code === 429 ? retryAfter(RATE_MS, 'rate_limited_by_network') : retryAfter(BUSY_MS, 'temporarily_unavailable');
}

/** Null for what is no refusal of the network's. */
export function codeOfRefusedQuery(error: unknown): number | null {
  // Baileys' Boom: the network's code stands in `data`; `output.statusCode` is always 500.
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
