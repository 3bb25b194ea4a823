/** Sends one event to a webhook: signs it, posts it, and says how it went. */
import { type AddressPolicy, createPoster, type PostAnswer, type Poster } from '@kurir/address-guard';
import type { WebhookSecret } from '@kurir/database/webhooks';
import { signWebhook } from '@kurir/signing';
import type { QueuedEvent } from './queue/queued-event.js';

/** An answer must come within this time. */
const answerMs = 15_000;
const maxConnections = 32;

export type WebhookSender = {
  /** Never rejects. */
  send(queued: QueuedEvent): Promise<PostAnswer>;
  close(): void;
};

export function createWebhookSender(
  url: string,
  secrets: readonly WebhookSecret[],
  policy: AddressPolicy,
): WebhookSender {
  // The first event opens the connections.
  let poster: Poster | undefined;
  return {
    send({ id, body }) {
      poster ??= createPoster(url, { policy, maxConnections, timeoutMs: answerMs });
      const now = Date.now();
      const timestamp = Math.floor(now / 1_000);
      const live = secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt.getTime() > now);
      const headers = {
        ...signWebhook(
          live.map(({ secret }) => secret),
          { id, timestamp, body },
        ),
        'content-type': 'application/json',
        'user-agent': 'Kurir-Webhooks/1',
      };
      return poster.post(headers, body);
    },
    close: () => poster?.close(),
  };
}

export const isTaken = ({ status }: PostAnswer): boolean => status !== null && status >= 200 && status < 300;
