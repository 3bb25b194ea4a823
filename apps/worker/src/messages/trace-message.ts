/** The spans of a message in the worker. They stand below the span that accepted it. Without that, nothing happens here. */
import type { DeviceId } from '@kurir/contracts';
import type { ClaimedMessage, ReportedMessage } from '@kurir/database';
import type { SendOutcome } from '@kurir/network';
import { type Attributes, beginSpan, noteSpan, type Span } from '@kurir/tracing';

type Tried = Pick<ClaimedMessage, 'id' | 'attempts' | 'traceparent'>;

const attributesOf = ({ id, attempts }: Tried, deviceId: DeviceId): Attributes => ({
  'kurir.job_id': id,
  'kurir.device_id': deviceId,
  'kurir.attempt': attempts,
});

/** `startedAt`: when the lane asked for a message, in milliseconds since 1970. */
export function noteClaim(message: Tried, deviceId: DeviceId, startedAt: number): void {
  if (message.traceparent === null) return;
  noteSpan(message.traceparent, 'claim message', { startedAt, attributes: attributesOf(message, deviceId) });
}

/** The span of one try. Null: the message is not traced. */
export function beginTry(message: Tried, deviceId: DeviceId): Span | null {
  if (message.traceparent === null) return null;
  return beginSpan(message.traceparent, 'send message', {
    kind: 'producer',
    attributes: attributesOf(message, deviceId),
  });
}

/** Without an answer, or with a refusal, the span counts as failed. Its error says why. */
export function endTry(span: Span | null, outcome: SendOutcome): void {
  if (span === null) return;
  if (outcome.kind === 'sent') return span.end({ 'kurir.result': 'sent' });
  if (outcome.kind === 'unknown') return span.end({ 'kurir.result': 'unanswered', 'error.type': outcome.reason });
  span.end({ 'kurir.result': outcome.permanent ? 'refused' : 'retry', 'error.type': outcome.reason });
}

type Receipt = { readonly deviceId: DeviceId; readonly status: string; readonly startedAt: number };

/** A receipt that moved the message, from its arrival to its commit. Null: it moved none. */
export function noteReceipt(message: ReportedMessage | null, { deviceId, status, startedAt }: Receipt): void {
  if (message === null || message.traceparent === null) return;
  noteSpan(message.traceparent, 'receipt', {
    kind: 'consumer',
    startedAt,
    attributes: { 'kurir.job_id': message.id, 'kurir.device_id': deviceId, 'kurir.status': status },
  });
}
