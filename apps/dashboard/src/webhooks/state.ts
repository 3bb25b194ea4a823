import type { DashboardData } from '@kurir/contracts/dashboard';
import type { Tone } from '../ui/tone.js';

export type Webhook = DashboardData<'getWebhook'>['webhook'];
export type Replay = DashboardData<'getWebhook'>['replays'][number];
export type Attempt = DashboardData<'listWebhookAttempts'>['attempts'][number];
export type WebhookState = Webhook['health']['state'];

export const toneOfState: Readonly<Record<WebhookState, Tone>> = {
  new: 'neutral',
  healthy: 'ok',
  failing: 'warn',
  probed: 'bad',
  disabled: 'bad',
};

export const toneOfOutcome: Readonly<Record<Attempt['outcome'], Tone>> = {
  delivered: 'ok',
  retrying: 'warn',
  probed: 'warn',
  failed: 'bad',
};
