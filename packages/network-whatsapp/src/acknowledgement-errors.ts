/** What a refusing acknowledgement means: `error` of `<ack class="message">`, and what the customer's job says. */
import type { NotSentReason, SendOutcome } from '@kurir/network';

const SOON_MS = 1_000;
const BUSY_MS = 30_000;
const RATE_MS = 60_000;
const RESTRICTED_MS = 3_600_000;

export const STALE_DEVICES = '479';
export const NEW_CONTACTS_RESTRICTED = '463';

export type Refusal = {
  readonly error: string;
  /** This message was refused with 479 before, and its recipient's devices have been asked for anew since. */
  readonly staleBefore: boolean;
  /** Until when the account may not write to strangers, when the network said. */
  readonly restrictedUntil: Date | null;
};

export function outcomeOfRefusal({ error, staleBefore, restrictedUntil }: Refusal, now = Date.now()): SendOutcome {
  switch (error) {
    case NEW_CONTACTS_RESTRICTED:
      return retry(
        'new_contacts_restricted',
        Math.max(SOON_MS, (restrictedUntil?.getTime() ?? now + RESTRICTED_MS) - now),
      );
    case STALE_DEVICES:
      return staleBefore ? never('rejected_by_network') : retry('temporarily_unavailable', SOON_MS);
    case '429':
      return retry('rate_limited_by_network', RATE_MS);
    case '404':
      return never('recipient_unavailable');
    case '500':
    case '503':
      return retry('temporarily_unavailable', BUSY_MS);
    default:
      // 400, 403, 475 and the rest of the 4xx: the same stanza would be refused again. Unknown 5xx: the server's trouble.
      return error.startsWith('5') ? retry('temporarily_unavailable', BUSY_MS) : never('rejected_by_network');
  }
}

/** A question (is this number on WhatsApp, which devices has it) was refused. Nothing of the message was written. */
export function outcomeOfRefusedQuery(error: unknown): SendOutcome {
  // Baileys' Boom: the network's code stands in `data`; `output.statusCode` is always 500.
  const code = (error as { data?: unknown } | null)?.data;
  return code === 429 ? retry('rate_limited_by_network', RATE_MS) : retry('temporarily_unavailable', BUSY_MS);
}

function never(reason: NotSentReason): SendOutcome {
  return { kind: 'not-sent', permanent: true, reason };
}

function retry(reason: NotSentReason, retryAfterMs: number): SendOutcome {
  return { kind: 'not-sent', permanent: false, reason, retryAfterMs };
}
