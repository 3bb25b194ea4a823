/**
 * Every way in which WhatsApp ends a connection, and what the worker does next. Codes are Baileys' `output.statusCode`,
 * which is the network's own code if the network sends one. Meanings: observed with Baileys 7.0.0-rc14; 402 to 411 as
 * in whatsmeow's `ConnectFailureReason`.
 */
import type { SessionEnd } from '@kurir/network';

const NO_EXPIRY_WAIT_MS = 3_600_000;
const OUTDATED_WAIT_MS = 15 * 60_000;
const SLOWDOWN_MS = 60_000;
const MAX_SLOWDOWN_MS = 3_600_000;

/** The reason of a temporary ban: the network's `code`, and our word for it. */
const TEMPORARY_BANS: Readonly<Record<string, string>> = {
  101: 'wrote_to_too_many_strangers',
  102: 'blocked_by_too_many_people',
  103: 'made_too_many_groups_with_strangers',
  104: 'sent_the_same_to_too_many_people',
  106: 'used_broadcast_lists_too_much',
};

export type Close = {
  /** Undefined when the network gave no reason. */
  readonly code: number | undefined;
  /** The attributes of the network's last stanza, for example `code` and `expire` (seconds) of a temporary ban. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Whether the login had succeeded. */
  readonly wasConnected: boolean;
};

export function sessionEndOf(close: Close, now: number = Date.now()): SessionEnd {
  switch (close.code) {
    case 515: // the network asks for it after pairing, and sometimes later
      return { reason: 'restart_required', next: 'reconnect' };
    case 503: // the service is overloaded
    case 500: // the server failed or could not parse a stanza
    case 516: // no documented meaning, seen when a session is dropped
      return { reason: 'network_unavailable', next: 'reconnect' };
    case 440: // another connection logged in with these credentials
      return { reason: 'replaced', next: 'check-lease' };
    case 401: // unlinked, by the phone or by the network
      return { reason: 'logged_out', next: 'relink' };
    case 402:
      return temporaryBan(close.details, now);
    case 403:
      return { reason: 'banned', next: 'banned', detail: 'account_locked' };
    case 406:
      return { reason: 'banned', next: 'banned', detail: 'account_banned' };
    case 405: // version too old
    case 409: // user agent not accepted
      return { reason: 'client_outdated', next: 'wait', until: new Date(now + OUTDATED_WAIT_MS) };
    case 429: // an edge server in front of the network asks us to slow down
      return { reason: 'rate_limited_by_network', next: 'wait', until: new Date(now + slowdownMs(close.details)) };
    case 411: // the account left the multi-device service
      return { reason: 'credentials_invalid', next: 'relink' };
    default:
      // 428 (closed), 408 (silent, refused or not found), an unknown code, or none.
      return { reason: close.wasConnected ? 'connection_lost' : 'network_unavailable', next: 'reconnect' };
  }
}

function temporaryBan({ code, expire }: Close['details'], now: number): SessionEnd {
  const seconds = Number(expire);
  const waitMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : NO_EXPIRY_WAIT_MS;
  const detail = TEMPORARY_BANS[String(code)];
  const end = { reason: 'temporarily_banned', next: 'wait', until: new Date(now + waitMs) } as const;
  return detail === undefined ? end : { ...end, detail };
}

/** `Retry-After` in seconds, if the edge server says it. */
function slowdownMs({ retryAfter }: Close['details']): number {
  const seconds = Number(retryAfter);
  return seconds > 0 ? Math.min(seconds * 1_000, MAX_SLOWDOWN_MS) : SLOWDOWN_MS;
}

/** Reads Baileys' `lastDisconnect.error`. It is a Boom, whose type Baileys does not export, or any other error. */
export function closeOf(error: unknown, wasConnected: boolean): Close {
  const { output, data } = (error ?? {}) as { output?: { statusCode?: number }; data?: unknown };
  const details = typeof data === 'object' && data !== null ? { ...data } : {};
  return { code: output?.statusCode, details, wasConnected };
}
