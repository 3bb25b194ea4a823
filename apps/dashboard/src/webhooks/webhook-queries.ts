import { readQuery } from '../http/query.js';

/** The worker changes the health of a webhook, and no live event tells it. */
const refreshMs = 5_000;
const busyMs = 1_500;

export const webhooksQuery = () => ({ ...readQuery('listWebhooks', {}), refetchInterval: refreshMs });

export const webhookQuery = (webhookId: string) => ({
  ...readQuery('getWebhook', { params: { webhook_id: webhookId } }),
  refetchInterval: ({
    state,
  }: {
    state: { data?: { replays: readonly { ended_at: string | null }[] } | undefined };
  }) => (state.data?.replays.some(({ ended_at }) => ended_at === null) === true ? busyMs : refreshMs),
});
