/** Sends one event to a webhook: signs it, posts it, and says how it went. */
import { type AddressPolicy, createPoster, type PostAnswer, type Poster } from '@kurir/address-guard';
import type { WebhookSecret } from '@kurir/database/webhooks';
import { metrics } from '@kurir/metrics';
import { signWebhook } from '@kurir/signing';
import type { QueuedEvent } from './queue/queued-event.js';
import { beginPost, endPost } from './trace-post.js';

/** An answer must come within this time. */
const answerMs = 15_000;
const maxConnections = 32;

export type WebhookSender = {
  /** Never rejects. */
  send(queued: QueuedEvent): Promise<PostAnswer>;
  close(): void;
};

function noteAnswer(answer: PostAnswer, eventAt: Date): void {
  const refused = answer.status === null ? 'no_answer' : 'refused';
  metrics.webhookPosts.add({ result: isTaken(answer) ? 'taken' : refused });
  metrics.webhookPostSeconds.observe({}, answer.durationMs / 1_000);
  if (isTaken(answer)) metrics.webhookDelay.observe({}, Math.max(0, Date.now() - eventAt.getTime()) / 1_000);
}

export function createWebhookSender(
  url: string,
  secrets: readonly WebhookSecret[],
  policy: AddressPolicy,
): WebhookSender {
  // The first event opens the connections.
  let poster: Poster | undefined;
  return {
    async send(queued) {
      const { id, body, event } = queued;
      poster ??= createPoster(url, { policy, maxConnections, timeoutMs: answerMs });
      const now = Date.now();
      const timestamp = Math.floor(now / 1_000);
      const live = secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt.getTime() > now);
      const span = beginPost(queued);
      const headers = {
        ...signWebhook(
          live.map(({ secret }) => secret),
          { id, timestamp, body },
        ),
        'content-type': 'application/json',
        'user-agent': 'Kurir-Webhooks/1',
        ...(span === null ? {} : { traceparent: span.traceparent }),
      };
      const answer = await poster.post(headers, body);
      noteAnswer(answer, event.at);
      if (span !== null) endPost(span, answer, isTaken(answer));
      return answer;
    },
    close: () => poster?.close(),
  };
}

export const isTaken = ({ status }: PostAnswer): boolean => status !== null && status >= 200 && status < 300;
