/** API keys, and the debugger of signatures. */
import { z } from 'zod';
import { timestamp } from '../fields/timestamp.js';
import { memberRoles } from '../http/access.js';
import { scopes } from '../http/scopes.js';
import { limits } from '../http/limits.js';
import { isStorableText, notStorable } from '../fields/storable-text.js';
import type { OperationForPeople } from '../http/operation-entry.js';
import { debugAnswer, debugRequest } from './signature-debug.js';

const keyName = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(limits.keyNameMaxLength)
  .refine(isStorableText, notStorable);
const keyScopes = z.array(z.enum(scopes)).max(scopes.length);
/** The api checks that each is an address or a CIDR range. */
const allowedIps = z.array(z.string().trim().min(2).max(64)).max(limits.allowedIpsMax);

const apiKey = z.object({
  api_key: z.string(),
  name: z.string(),
  mode: z.enum(['live', 'test']),
  /** Empty: the key may do everything. */
  scopes: z.array(z.string()),
  /** Empty: requests may come from anywhere. */
  allowed_ips: z.array(z.string()),
  /** The person who made the key. Null: the operator's command line made it, or nobody noted who did. */
  created_by: z
    .object({
      user_id: z.string(),
      /** Null: the person was erased. */
      name: z.string().nullable(),
      /** Null: the person is no member any more. */
      role: z.enum(memberRoles).nullable(),
    })
    .nullable(),
  created_at: timestamp,
  revoked_at: timestamp.nullable(),
  last_used_at: timestamp.nullable(),
  /** The live secrets and the last one that a rotation ended, newest first. */
  secrets: z.array(
    z.object({
      version: z.int(),
      /** The id of the person who saw it. */
      created_by: z.string().nullable(),
      created_at: timestamp,
      /** Null: this is the present secret. */
      expires_at: timestamp.nullable(),
      last_used_at: timestamp.nullable(),
    }),
  ),
});

const newSecret = z.object({
  key: apiKey,
  /** Only this answer shows the secret. */
  api_secret: z.string(),
});

const createRequest = z
  .strictObject({
    name: keyName,
    mode: z.enum(['live', 'test']).optional(),
    scopes: keyScopes.optional(),
    allowed_ips: allowedIps.optional(),
  })
  .transform((body) => ({
    name: body.name,
    mode: body.mode ?? ('live' as const),
    scopes: body.scopes ?? [],
    allowedIps: body.allowed_ips ?? [],
  }));

const changeRequest = z
  .strictObject({ name: keyName.optional(), scopes: keyScopes.optional(), allowed_ips: allowedIps.optional() })
  .transform((body) => ({ name: body.name, scopes: body.scopes, allowedIps: body.allowed_ips }));

const rotateRequest = z
  .strictObject({ overlap_hours: z.int().min(0).max(limits.rotationMaxHours).optional() })
  .transform((body) => ({ overlapHours: body.overlap_hours ?? limits.rotationDefaultHours }));

export const keyOperations = {
  listKeys: {
    method: 'GET',
    path: '/app/api/keys',
    summary: 'List the account’s keys, oldest first, with the revoked ones and without secrets.',
    access: 'viewer',
    audit: null,
    body: null,
    query: null,
    data: z.object({ keys: z.array(apiKey) }),
    message: 'Keys listed',
    errors: [],
  },
  createKey: {
    method: 'POST',
    path: '/app/api/keys',
    summary:
      'Create a key. Only this answer shows its secret. A key can get a scope only from a person who may do the same. So only an owner can give `account:renew`, or an empty list, which means everything.',
    access: 'developer',
    audit: { whose: 'all', actions: ['key.created'] },
    confirmed: true,
    body: createRequest,
    query: null,
    data: newSecret,
    message: 'Key created',
    errors: ['KEY_LIMIT_REACHED', 'CONFIRMATION_REQUIRED'],
  },
  changeKey: {
    method: 'POST',
    path: '/app/api/keys/{api_key}/settings',
    summary:
      'Change the name, the scopes or the allow-list of a key. A field that is left out stays as it is. The change takes effect within 5 seconds. For new scopes, the rule of a new key applies.',
    access: 'developer',
    audit: { whose: 'all', actions: ['key.changed'] },
    confirmed: true,
    body: changeRequest,
    query: null,
    data: apiKey,
    message: 'Key changed',
    errors: ['KEY_NOT_FOUND', 'CONFIRMATION_REQUIRED'],
  },
  rotateKey: {
    method: 'POST',
    path: '/app/api/keys/{api_key}/rotate',
    summary:
      'Give the key a new secret. The present secret still works for the overlap. The person must be able to give the key its scopes.',
    access: 'developer',
    audit: { whose: 'all', actions: ['key.rotated'] },
    confirmed: true,
    body: rotateRequest,
    query: null,
    data: newSecret,
    message: 'Key rotated',
    errors: ['KEY_NOT_FOUND', 'CONFIRMATION_REQUIRED'],
  },
  revokeKey: {
    method: 'POST',
    path: '/app/api/keys/{api_key}/revoke',
    summary: 'Revoke a key for ever. It stops working everywhere within 5 seconds.',
    access: 'developer',
    audit: { whose: 'all', actions: ['key.revoked'] },
    whileSuspended: true,
    body: null,
    query: null,
    data: apiKey,
    message: 'Key revoked',
    errors: ['KEY_NOT_FOUND'],
  },
  debugSignature: {
    method: 'POST',
    path: '/app/api/keys/debug',
    summary:
      'Show what the server signs for a request and what is wrong with a signature. It never shows the right signature.',
    access: 'developer',
    audit: null,
    whileSuspended: true,
    body: debugRequest,
    query: null,
    data: debugAnswer,
    message: 'Signature examined',
    errors: [],
  },
} as const satisfies Record<string, OperationForPeople>;
