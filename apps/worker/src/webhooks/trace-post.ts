/** The spans of a POST to a webhook. They hold no address and no body, because the address of a webhook may be a secret. */
import type { PostAnswer } from '@kurir/address-guard';
import { type Attributes, beginSpan, noteSpan, type Span } from '@kurir/tracing';
import type { QueuedEvent } from './queue/queued-event.js';

const attributesOf = ({ id, event }: QueuedEvent): Attributes => ({
  'kurir.event_id': id,
  'kurir.event_type': event.kind,
  'kurir.job_id': event.subjectId,
});

/**
 * The span of one POST, whose `traceparent` goes out with it. The first try also records the event itself, from its place
 * in the log to now. Null: the message of the event is not traced.
 */
export function beginPost(queued: QueuedEvent): Span | null {
  const { traceparent, event, tries } = queued;
  if (traceparent === null) return null;
  const attributes = attributesOf(queued);
  const noted =
    tries === 0 ? noteSpan(traceparent, 'event', { startedAt: event.at.getTime(), attributes }) : traceparent;
  return beginSpan(noted, 'POST webhook', {
    kind: 'client',
    attributes: { ...attributes, 'kurir.attempt': tries + 1, 'http.request.method': 'POST' },
  });
}

export function endPost(span: Span, { status, failure }: PostAnswer, isTaken: boolean): void {
  span.end({
    'kurir.result': isTaken ? 'taken' : status === null ? 'no_answer' : 'refused',
    ...(status === null ? {} : { 'http.response.status_code': status }),
    ...(isTaken ? {} : { 'error.type': status === null ? (failure ?? 'no_answer') : String(status) }),
  });
}
