/**
 * Step 7, one try of a claimed message: gives it to the driver under its own id and stores the network's answer. If it runs
 * twice, the receiver still shows the message once, because the id is the same.
 */
import { type ClaimedMessage, isUnavailable, reportOutcome, tryName, type TryOutcome } from '@kurir/database';
import type { Session } from '@kurir/network';
import { logIdsOf } from '@kurir/tracing';
import type { UnstoredOutcome } from '../leases/device-lease.js';
import { type ConnectedDevice, maySend } from './connected-device.js';
import { retryWrite } from './retry-write.js';
import { beginTry, endTry } from './trace-message.js';

/** The worker may have stood still for any time since it claimed the message. */
function isTooLate({ expiresInMs }: ClaimedMessage, sinceMs: number): boolean {
  return expiresInMs !== null && sinceMs >= expiresInMs;
}

/**
 * - `go-on`: the outcome of the try is stored.
 * - `unanswered`: the network did not answer in time. The message stays `sending`.
 * - `not-now`: the connection ended. The message stays `sending`, and the next connection tries it again.
 */
export type TryEnd = 'go-on' | 'unanswered' | 'not-now';

/**
 * `askedAt` is the time of the device's clock before the claim. Rejects if the outcome could not be stored. If the driver
 * returned an outcome, `storeLastOutcome` stores it later; otherwise the message goes out again under its id.
 */
export async function tryMessage(
  device: ConnectedDevice,
  session: Session,
  message: ClaimedMessage,
  askedAt: number,
): Promise<TryEnd> {
  const { lastTry, log } = device.lease;
  const { networkMessageId, recipient, content } = message;
  if (typeof content === 'string') {
    await storeAnswer(device, message, withoutContent[content]);
    log.error({ ...aboutTry(message), content }, 'message content not readable');
    return 'go-on';
  }
  if (message.attempts === 1) await device.typing.before(session, recipient);
  if (!maySend(device)) {
    await reportOutcome(device.outcomes, message, device.lease.token.epoch, { kind: 'not-written' });
    return 'not-now';
  }
  if (isTooLate(message, device.clock.now() - askedAt)) {
    await storeAnswer(device, message, { kind: 'not-written' });
    return 'go-on';
  }
  lastTry.name = tryName(message);
  if (message.attempts > 1) log.info(aboutTry(message), 'message tried again');
  const { replyTo } = content;
  const span = beginTry(message, device.lease.deviceId);
  const outcome = await session.send({
    networkMessageId,
    recipient,
    content,
    ...(replyTo === undefined ? {} : { replyTo }),
  });
  endTry(span, outcome);
  lastTry.unstored = { message, outcome, refusals: 0 };
  await storeLastOutcome(device);
  if (outcome.kind !== 'unknown') return 'go-on';
  log.warn({ ...aboutTry(message), reason: outcome.reason }, 'message not answered');
  // The driver returns the outcomes of its sends before it reports the end of the session.
  return outcome.reason === 'connection_lost' || !maySend(device) ? 'not-now' : 'unanswered';
}

/** `unknown` is a kind that only newer workers can read. */
const withoutContent = {
  unreadable: { kind: 'not-sent', permanent: true, reason: 'content_unreadable' },
  unknown: { kind: 'not-sent', permanent: false, reason: 'temporarily_unavailable', retryAfterMs: 60_000 },
} as const satisfies Record<string, TryOutcome>;

const aboutTry = ({ id, requestId, attempts, traceparent }: ClaimedMessage) => ({
  messageId: id,
  requestId,
  attempt: attempts,
  ...logIdsOf(traceparent),
});

/** After so many refusals by Postgres the outcome is dropped, so that the lane goes on. The message then goes out again. */
const mostRefusals = 3;

/** Stores the driver's last outcome if Postgres does not have it. Rejects if Postgres does not take it; call it again then. */
export async function storeLastOutcome(device: ConnectedDevice): Promise<void> {
  const { lastTry } = device.lease;
  const { unstored } = lastTry;
  if (unstored === null) return;
  try {
    await storeOutcome(device, unstored);
    lastTry.unstored = null;
  } catch (err) {
    if (!isUnavailable(err) && ++unstored.refusals >= mostRefusals) lastTry.unstored = null;
    throw err;
  }
}

async function storeOutcome(device: ConnectedDevice, { message, outcome }: UnstoredOutcome): Promise<void> {
  const { id, networkMessageId, recipient } = message;
  // The contact is committed before the outcome: after a crash between the two, the recipient still counts as known.
  // An unanswered message may have gone out, so its recipient counts too.
  if (outcome.kind !== 'not-sent')
    await retryWhileSending(device, () => device.contacts.noteRecipient(recipient, networkMessageId), id);
  if (outcome.kind !== 'unknown') {
    const stored = lengthenPause(outcome, message.attempts);
    await storeAnswer(device, message, stored);
    const { kind, ...why } = stored;
    device.lease.log.info({ ...aboutTry(message), outcome: kind, ...why }, 'message answered');
  }
}

const longestPauseMs = 60_000;

/** If the network asks to try again, the pause grows with the tries, even if the network proposed a shorter one. */
function lengthenPause(outcome: TryOutcome, attempts: number): TryOutcome {
  if (outcome.kind !== 'not-sent' || outcome.permanent) return outcome;
  const pauseMs = Math.min(longestPauseMs, 250 * 2 ** Math.min(attempts, 10));
  return { ...outcome, retryAfterMs: Math.max(outcome.retryAfterMs, pauseMs) };
}

function storeAnswer(device: ConnectedDevice, message: ClaimedMessage, outcome: TryOutcome): Promise<boolean> {
  return retryWhileSending(
    device,
    () => reportOutcome(device.outcomes, message, device.lease.token.epoch, outcome),
    message.id,
  );
}

function retryWhileSending<T>(
  device: ConnectedDevice,
  write: () => Promise<T>,
  messageId: ClaimedMessage['id'],
): Promise<T> {
  return retryWrite(device, () => maySend(device), write, { messageId });
}
