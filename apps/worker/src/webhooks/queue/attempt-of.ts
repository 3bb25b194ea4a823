import type { PostAnswer } from '@kurir/address-guard';
import type { WebhookAttempt } from '@kurir/database/webhooks';
import type { QueuedEvent } from './queued-event.js';

/** The record of one POST. */
export function attemptOf(queued: QueuedEvent, answer: PostAnswer, isProbe: boolean): WebhookAttempt {
  const { event, id: eventId, tries } = queued;
  const { status, failure: error, durationMs, text: response } = answer;
  return { event, eventId, tries: isProbe ? 0 : tries + 1, status, error, durationMs, response };
}
