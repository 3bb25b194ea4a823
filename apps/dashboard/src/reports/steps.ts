import type { LinkProps } from '@tanstack/react-router';
import type { Overview } from './overview.js';

export type Step = {
  readonly name: 'link' | 'key' | 'send' | 'plan';
  readonly isDone: boolean;
  readonly link: Pick<LinkProps, 'to' | 'search'>;
};

/** Returns the steps in a possible order: without a running period, a person must choose a plan before a message. */
export function stepsOf({ first_steps: done, subscription }: Pick<Overview, 'first_steps' | 'subscription'>): Step[] {
  const link: Step = { name: 'link', isDone: done.device_linked, link: { to: '/devices', search: { add: true } } };
  const send: Step = { name: 'send', isDone: done.message_sent, link: { to: '/send' } };
  const key: Step = { name: 'key', isDone: done.key_created, link: { to: '/keys', search: { create: true } } };
  const plan: Step = { name: 'plan', isDone: done.plan_chosen, link: { to: '/billing' } };
  const maySend = subscription !== null && subscription.days_left > 0;
  return maySend ? [link, send, key, plan] : [link, plan, send, key];
}
