import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { expect, test } from 'vitest';
import { AddressNotAllowed, createGuardedLookup, createPublicLookup } from './public-lookup.js';

const inside: LookupAddress = { address: '169.254.169.254', family: 4 };
const outside: LookupAddress = { address: '198.41.0.4', family: 4 };
const outsideToo: LookupAddress = { address: '2001:503:ba3e::2:30', family: 6 };

function lookUp(answer: LookupAddress[] | Error, all = true, guard = createPublicLookup) {
  let asked = 0;
  const names: LookupFunction = (_name, _options, callback) => {
    asked += 1;
    if (answer instanceof Error) callback(answer, []);
    else callback(null, answer);
  };
  const lookup = guard(names);
  return new Promise<object>((resolve) =>
    lookup('proxy.example.com', { all }, (error, found, family) => resolve({ error, found, family, asked })),
  );
}

test('a name of a private address is refused before anything connects, with one lookup', async () => {
  const answer = await lookUp([inside]);
  expect(answer).toMatchObject({ error: expect.any(AddressNotAllowed), asked: 1 });
  expect(JSON.stringify(answer)).not.toContain(inside.address);
});

test('only the public addresses of a name are connected to', async () => {
  expect(await lookUp([inside, outside, outsideToo])).toMatchObject({ error: null, found: [outside, outsideToo] });
  expect(await lookUp([inside, outsideToo], false)).toMatchObject({ found: outsideToo.address, family: 6, asked: 1 });
});

test('a name without an address fails', async () => {
  const error = new Error('getaddrinfo ENOTFOUND');
  expect(await lookUp(error)).toMatchObject({ error });
  expect(await lookUp([])).toMatchObject({ error: expect.any(AddressNotAllowed) });
});

test('with the policy loopback, the machine itself is connected to and nothing else inside', async () => {
  const self: LookupAddress = { address: '::ffff:127.0.0.1', family: 6 };
  const loopback = (names?: LookupFunction) => createGuardedLookup('loopback', names);
  expect(await lookUp([inside, self, outside], true, loopback)).toMatchObject({ found: [self, outside] });
  expect(await lookUp([inside], true, loopback)).toMatchObject({ error: expect.any(AddressNotAllowed) });
});

test('with the policy allow, every address of a name is connected to', async () => {
  const anywhere = (names?: LookupFunction) => createGuardedLookup('allow', names);
  expect(await lookUp([inside, outside], true, anywhere)).toMatchObject({ found: [inside, outside] });
});
