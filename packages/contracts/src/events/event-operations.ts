import { z } from 'zod';
import { limits } from '../http/limits.js';
import type { OperationForPeople, PublicOperation } from '../http/operation-entry.js';
import { event } from './event.js';
import { feedQuery, recentEventsQuery } from './feed-query.js';

export const eventOperations = {
  listEvents: {
    method: 'GET',
    path: '/api/v1/events',
    summary:
      'Read the events of the account, oldest first. Pass next_cursor as after. With `Accept: text/event-stream`, the answer is a stream of the same events.',
    scope: 'events:read',
    testKeys: 'sandbox',
    access: 'viewer',
    audit: null,
    device: false,
    repeat: 'harmless',
    streams: true,
    maxBodyBytes: limits.bodyMaxBytes,
    body: null,
    query: feedQuery,
    data: z.object({
      events: z.array(event),
      next_cursor: z.string().meta({ description: 'The place in the feed after these events.' }),
      has_more: z.boolean().meta({ description: 'Whether more events are there already.' }),
    }),
    message: 'Events listed',
    errors: ['INVALID_REQUEST', 'CURSOR_EXPIRED', 'SERVICE_UNAVAILABLE'],
  },
} as const satisfies Record<string, PublicOperation>;

/** Only people use these. */
export const eventOperationsForPeople = {
  listRecentEvents: {
    method: 'GET',
    path: '/app/api/events/recent',
    summary:
      'List the events of the feed, newest first. `live_cursor` is the place in the feed from which a stream continues.',
    access: 'viewer',
    audit: null,
    body: null,
    query: recentEventsQuery,
    data: z.object({
      events: z.array(event),
      next_cursor: z.string().nullable(),
      live_cursor: z.string(),
    }),
    message: 'Events listed',
    errors: [],
  },
  streamEvents: {
    method: 'GET',
    path: '/app/api/events',
    summary: 'Stream the account’s live events. A comment every 15 s keeps the connection open.',
    access: 'agent',
    audit: null,
    body: null,
    query: null,
    answers: 'events',
    data: z.unknown(),
    message: 'Events follow',
    errors: [],
  },
} as const satisfies Record<string, OperationForPeople>;
