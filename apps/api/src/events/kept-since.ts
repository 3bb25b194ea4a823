import type { Api } from '../operations/api.js';

const dayMs = 24 * 60 * 60 * 1_000;

/** Feed and webhooks reach back to this time. The log holds older events, for the timelines of messages. */
export const keptSince = ({ now, eventDays }: Pick<Api, 'now' | 'eventDays'>): Date =>
  new Date(now() - eventDays * dayMs);
