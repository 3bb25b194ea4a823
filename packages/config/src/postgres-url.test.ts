import { expect, test } from 'vitest';
import { postgresUrl, urlsOfServers } from './postgres-url.js';

test.each([
  ['postgresql://u@one/db', ['postgresql://u@one/db']],
  [
    'postgres://u:p@one:1,two:2/db?sslmode=disable',
    ['postgres://u:p@one:1/db?sslmode=disable', 'postgres://u:p@two:2/db?sslmode=disable'],
  ],
  ['postgresql://one,two,three/db', ['postgresql://one/db', 'postgresql://two/db', 'postgresql://three/db']],
  ['postgresql://u:a,b%40c@one:1,[::1]:2/db', ['postgresql://u:a,b%40c@one:1/db', 'postgresql://u:a,b%40c@[::1]:2/db']],
  ['postgresql://u:a@b,c@one/db', ['postgresql://u:a@b,c@one/db']],
  ['postgresql://u@one/db?options=a,b', ['postgresql://u@one/db?options=a,b']],
  ['mysql://one,two/db', ['mysql://one,two/db']],
  ['', ['']],
])('%s names these servers', (url, urls) => {
  expect(urlsOfServers(url)).toEqual(urls);
});

test.each([
  'postgresql://u:p@one:5432,two:5433/db?target_session_attrs=read-write',
  'postgres://one/db?sslmode=verify-ca&sslrootcert=/ca.crt',
  'postgres://one/db?sslmode=no-verify&target_session_attrs=primary',
])('%s is right', (url) => {
  expect(postgresUrl.safeParse(url).success).toBe(true);
});

const noAddress = 'must be an address starting with';
test.each([
  ['', noAddress],
  ['mysql://one/db', noAddress],
  ['postgresql://one:5432,two:x/db', noAddress],
  ['postgresql://one,,two:99999/db', noAddress],
  ['postgresql://one/db?sslmode=on', 'has an sslmode that Kurir does not know'],
  ['postgresql://one/db?sslmode=verify-ca', 'needs the file of the CA: sslrootcert'],
  ['postgresql://one,two/db?target_session_attrs=any', 'has a target_session_attrs that Kurir does not know'],
])('"%s" is refused: %s', (url, message) => {
  expect(postgresUrl.safeParse(url).error?.issues[0]?.message).toContain(message);
});

test('no message repeats the password', () => {
  const url = 'postgresql://u:hunter2@one,two:x/db?sslmode=hunter2';
  expect(JSON.stringify(postgresUrl.safeParse(url).error?.issues)).not.toContain('hunter2');
});
