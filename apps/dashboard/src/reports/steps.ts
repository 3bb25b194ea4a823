import type { LinkProps } from '@tanstack/react-router';
import type { Overview } from './overview.js';

export type Step = {
  readonly name: 'link' | 'send' | 'contacts' | 'broadcast' | 'plan' | 'key';
  readonly isDone: boolean;
  /** Only programmers need it. */
  readonly isOptional: boolean;
  readonly link: Pick<LinkProps, 'to' | 'search'>;
};

type Done = Overview['first_steps'];

/** Whether somebody has still to learn what the account is for: by a broadcast, or by a program with a key. */
export const hasOpenSteps = (done: Done): boolean =>
  !(done.device_linked && done.message_sent && done.plan_chosen && (done.broadcast_started || done.key_created));

/** Returns the steps in a possible order: without a running period, a person must choose a plan before a message. */
export function stepsOf({ first_steps: done, subscription }: Pick<Overview, 'first_steps' | 'subscription'>): Step[] {
  const step = (name: Step['name'], isDone: boolean, link: Step['link']): Step => ({
    name,
    isDone,
    isOptional: name === 'key',
    link,
  });
  const link = step('link', done.device_linked, { to: '/devices', search: { add: true } });
  const sending = [
    step('send', done.message_sent, { to: '/send' }),
    step('contacts', done.contacts_added, { to: '/contacts/import' }),
    step('broadcast', done.broadcast_started, { to: '/broadcasts/new' }),
  ];
  const plan = step('plan', done.plan_chosen, { to: '/billing' });
  const key = step('key', done.key_created, { to: '/keys', search: { create: true } });
  const maySend = subscription !== null && subscription.days_left > 0;
  return maySend ? [link, ...sending, plan, key] : [link, plan, ...sending, key];
}
