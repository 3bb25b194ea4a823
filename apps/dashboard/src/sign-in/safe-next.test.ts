import { expect, test } from 'vitest';
import { safeNext } from './safe-next.js';

test.each([
  ['/keys?create=true', '/keys?create=true'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['https://evil.example', '/'],
  ['javascript:alert(1)', '/'],
  [undefined, '/'],
  [7, '/'],
])('after the sign-in, %j leads to %s', (next, path) => expect(safeNext(next)).toBe(path));
