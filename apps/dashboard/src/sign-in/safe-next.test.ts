import { expect, test } from 'vitest';
import { invitationIn, safeNext } from './safe-next.js';

test.each([
  ['/keys?create=true', '/keys?create=true'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['https://evil.example', '/'],
  ['javascript:alert(1)', '/'],
  [undefined, '/'],
  [7, '/'],
])('after the sign-in, %j leads to %s', (next, path) => expect(safeNext(next)).toBe(path));

test.each([
  ['/join/a_B-9', 'a_B-9'],
  ['/join/', null],
  ['/join/a/b', null],
  ['//join/a', null],
  ['/keys', null],
  [undefined, null],
])('%j has the invitation %j', (next, token) => expect(invitationIn(next)).toBe(token));
