/** The operations of suppressions, and of the words by which people opt out. */
import { z } from 'zod';
import { timestamp } from '../fields/timestamp.js';
import { limits } from '../http/limits.js';
import type { PublicOperation } from '../http/operation-entry.js';
import {
  addSuppressionsRequest,
  optOut,
  removeSuppressionQuery,
  setOptOutRequest,
  suppressionsQuery,
} from './suppression-requests.js';
import { type SuppressionReason, suppressionReasons, suppressionScopes } from './suppression-words.js';

const reads = {
  scope: 'contacts:read',
  testKeys: 'never',
  access: 'viewer',
  audit: null,
  device: false,
  repeat: 'harmless',
  maxBodyBytes: limits.bodyMaxBytes,
  body: null,
} as const;

const writes = {
  scope: 'contacts:write',
  testKeys: 'never',
  access: 'developer',
  device: false,
  repeat: 'refuse',
  maxBodyBytes: limits.bodyMaxBytes,
} as const;

const refusedBody = ['MALFORMED_REQUEST', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'INVALID_REQUEST'] as const;

// The record has exactly these keys; Object.keys only knows `string`.
const reasons = Object.keys(suppressionReasons) as [SuppressionReason, ...SuppressionReason[]];

const suppression = z
  .object({
    phone: z.string().nullable().meta({ description: 'Null: the network hides the number, or it is erased.' }),
    user_id: z
      .string()
      .nullable()
      .meta({ description: "The network's id of a person who hides the number. Null: of all others." }),
    scope: z.enum(suppressionScopes),
    reason: z.enum(reasons).meta({
      description: reasons.map((reason) => `\`${reason}\`: ${suppressionReasons[reason]}`).join(' '),
    }),
    message_id: z
      .string()
      .nullable()
      .meta({ description: 'The message in which the person asked for it. Null: the reason is another one.' }),
    added_by: z.string().nullable().meta({ description: 'The key or the person. Null: the recipient did it.' }),
    created_at: timestamp,
  })
  .meta({ id: 'Suppression' });

export const suppressionOperations = {
  addSuppressions: {
    ...writes,
    method: 'POST',
    path: '/api/v1/suppressions',
    summary: 'Suppress people: they get no marketing, or nothing. Messages that wait for them are cancelled.',
    audit: { whose: 'all', actions: ['suppression.added'] },
    body: addSuppressionsRequest,
    query: null,
    data: z.object({
      added: z.int().meta({ description: 'How many people were not suppressed before.' }),
      cancelled: z.int().meta({
        description:
          'How many waiting messages were cancelled. If very many wait, Kurir cancels the others a little later. None of them goes out.',
      }),
    }),
    message: 'Suppressions stored',
    errors: [...refusedBody, 'INVALID_PHONE_NUMBER', 'REPLAYED_REQUEST', 'SERVICE_UNAVAILABLE'],
  },
  listSuppressions: {
    ...reads,
    method: 'GET',
    path: '/api/v1/suppressions',
    summary: 'List suppressions, newest first.',
    query: suppressionsQuery,
    data: z.object({ suppressions: z.array(suppression), next_cursor: z.string().nullable() }),
    message: 'Suppressions listed',
    errors: ['INVALID_REQUEST', 'INVALID_PHONE_NUMBER', 'SERVICE_UNAVAILABLE'],
  },
  removeSuppression: {
    ...writes,
    method: 'DELETE',
    path: '/api/v1/suppressions/{phone}',
    summary: 'Remove a suppression, also one of an erased number. `phone` may be a `user_id` of the list, too.',
    audit: { whose: 'all', actions: ['suppression.removed'] },
    body: null,
    query: removeSuppressionQuery,
    data: z.object({ removed: z.boolean().meta({ description: 'False: there was no such suppression.' }) }),
    message: 'Suppression removed',
    errors: ['INVALID_REQUEST', 'INVALID_PHONE_NUMBER', 'REPLAYED_REQUEST', 'SERVICE_UNAVAILABLE'],
  },
  getOptOut: {
    ...reads,
    method: 'GET',
    path: '/api/v1/opt-out',
    summary: 'Show the words by which people opt out and in again, and the replies.',
    query: null,
    data: optOut,
    message: 'Opt-out settings found',
    errors: ['SERVICE_UNAVAILABLE'],
  },
  setOptOut: {
    ...writes,
    method: 'PUT',
    path: '/api/v1/opt-out',
    summary: 'Replace the words and the replies. A word must not stand in both lists.',
    audit: { whose: 'all', actions: ['opt_out.changed'] },
    body: setOptOutRequest,
    query: null,
    data: optOut,
    message: 'Opt-out settings stored',
    errors: [...refusedBody, 'REPLAYED_REQUEST', 'SERVICE_UNAVAILABLE'],
  },
} as const satisfies Record<string, PublicOperation>;
