import { describe, expect, test } from 'vitest';
import { memberRoles } from '../http/access.js';
import { scopes } from '../http/scopes.js';
import { mayGiveScope, mayKnowKey } from '../keys/roles-for-scopes.js';
import { publicOperationNames, publicOperations, routeTable } from './route-table.js';

const rank = (role: (typeof memberRoles)[number]) => memberRoles.indexOf(role);

/** The roles that people need for the operations of the scope, and for making a key. */
const rolesOf = (scope: string) =>
  publicOperationNames
    .filter((name) => publicOperations[name].scope === scope)
    .map((name) => publicOperations[name].access)
    .filter((access) => access !== null)
    .concat(routeTable.createKey.access);

describe.each(memberRoles)('a key of a %s', (role) => {
  test.each(scopes)('may have %s if the role may use all of its operations', (scope) => {
    expect(mayGiveScope(role, scope)).toBe(rolesOf(scope).every((needed) => rank(role) >= rank(needed)));
  });
});

test('a person may rotate and change a key only with the role that may create one', () => {
  for (const name of ['rotateKey', 'changeKey'] as const)
    expect(rank(routeTable[name].access)).toBeGreaterThanOrEqual(rank(routeTable.createKey.access));
});

test('a key that may do everything, or has a scope that this version does not know, is for owners', () => {
  for (const keyScopes of [[], ['messages:send', 'money:burn'], ['account:renew']]) {
    expect(mayKnowKey('owner', keyScopes)).toBe(true);
    expect(mayKnowKey('developer', keyScopes)).toBe(false);
  }
  expect(mayKnowKey('developer', ['messages:send', 'devices:write'])).toBe(true);
  expect(mayKnowKey('viewer', ['messages:read'])).toBe(false);
});
