import type { LinkProps } from '@tanstack/react-router';
import type { Overview } from './overview.js';

export type Step = {
  readonly name: 'link' | 'key' | 'send' | 'plan';
  readonly isDone: boolean;
  readonly link: Pick<LinkProps, 'to' | 'search'>;
};

/** In the order in which they can be taken: without a running period nothing is sent before a plan is chosen. */
export function stepsOf({ first_steps: done, subscription }: Pick<Overview, 'first_steps' | 'subscription'>): Step[] {
  const link: Step = { name: 'link', isDone: done.device_linked, link: { to: '/devices', search: { add: true } } };
  const send: Step = { name: 'send', isDone: done.message_sent, link: { to: '/send' } };
  const key: Step = { name: 'key', isDone: done.key_created, link: { to: '/keys', search: { create: true } } };
  const plan: Step = { name: 'plan', isDone: done.plan_chosen, link: { to: '/billing' } };
  const maySend = subscription !== null && subscription.days_left > 0;
  return maySend ? [link, send, key, plan] : [link, plan, send, key];
}
