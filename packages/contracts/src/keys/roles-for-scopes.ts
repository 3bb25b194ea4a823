/**
 * The scopes that a person may give a key. The person may use each operation of the scope without a key, so a key is no
 * way around a role. `operations/roles-for-scopes.test.ts` compares it with the route table.
 */
import { type MemberRole, memberRoles } from '../http/access.js';
import { type Scope, scopes } from '../http/scopes.js';

const rolesForScopes: Readonly<Record<Scope, MemberRole>> = {
  'messages:send': 'developer',
  'messages:read': 'developer',
  'presence:send': 'developer',
  'account:read': 'developer',
  'account:renew': 'owner',
  'devices:read': 'developer',
  'devices:write': 'developer',
  'devices:disconnect': 'developer',
  'conversations:read': 'developer',
  'conversations:write': 'developer',
  'contacts:read': 'developer',
  'contacts:write': 'developer',
  'events:read': 'developer',
  'webhooks:read': 'developer',
  'webhooks:write': 'developer',
  'broadcasts:read': 'developer',
  'broadcasts:write': 'developer',
  'audit:read': 'developer',
  'requests:read': 'developer',
};

const needed: ReadonlyMap<string, MemberRole> = new Map(Object.entries(rolesForScopes));

/** Whether a person of this role may give a key the scope. A scope of another version needs an owner. */
export const mayGiveScope = (role: MemberRole, scope: string): boolean =>
  memberRoles.indexOf(role) >= memberRoles.indexOf(needed.get(scope) ?? 'owner');

/** Whether a person of this role may know a key with these scopes. A key without scopes may do everything. */
export const mayKnowKey = (role: MemberRole, keyScopes: readonly string[]): boolean =>
  (keyScopes.length === 0 ? scopes : keyScopes).every((scope) => mayGiveScope(role, scope));
