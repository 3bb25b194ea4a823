import { useQuery } from '@tanstack/react-query';
import { readQuery } from '../../http/query.js';
import { useCall } from '../../http/use-call.js';
import type { Webhook } from '../state.js';

const lookEveryMs = 1_000;
/** Longer than the timeout of an attempt, because the worker needs a moment. */
const patienceMs = 25_000;

/** Sends a test, and looks for its attempt until it appears or the time is over. */
export function usePing({ webhook_id: webhookId }: Webhook) {
  const ping = useCall('pingWebhook');
  const eventId = ping.data?.event_id ?? '';
  const params = { webhook_id: webhookId };
  const { data, dataUpdatedAt } = useQuery({
    ...readQuery('listWebhookAttempts', { params, query: { event_id: eventId, limit: 1 } }),
    enabled: eventId !== '',
    refetchInterval: ({ state }) =>
      (state.data?.attempts.length ?? 0) > 0 || state.dataUpdatedAt - ping.submittedAt > patienceMs
        ? false
        : lookEveryMs,
  });
  const attempt = data?.attempts[0];
  return {
    send: () => ping.mutate({ params }),
    isSending: ping.isPending,
    failure: ping.error,
    isSent: eventId !== '',
    attempt,
    isLate: attempt === undefined && dataUpdatedAt - ping.submittedAt > patienceMs,
  };
}
