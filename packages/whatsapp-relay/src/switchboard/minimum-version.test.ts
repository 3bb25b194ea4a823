import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { createRelay, type Relay } from '../index.js';
import { MinimumVersion } from './minimum-version.js';
import { Companion, Credentials, linkCompanion, logIn } from '../../test/companion.js';

test.each([
  [[2, 3000, 10], true],
  [[2, 3000, 9], false],
  [[2, 3000, 100], true],
  [[2, 2999, 100], false],
  [[3, 0, 0], true],
  [[0, 0, 0], false],
] as const)('a minimum of 2.3000.10 admits %j: %s', (version, admitted) => {
  expect(new MinimumVersion('2.3000.10').admits(version)).toBe(admitted);
});

test.each(['', '2.3000', '2.3000.x', '2.3000.1.1'])('%j is no version', (text) => {
  expect(() => new MinimumVersion(text)).toThrow('no version');
});

describe('a relay with a minimum version', () => {
  let relay: Relay;
  beforeEach(async () => {
    relay = await createRelay();
  });
  afterEach(() => relay.close());

  it('refuses the login of an older client with 405, and admits it with a newer version', async () => {
    const phone = await relay.createPhone('4915100000001');
    const credentials = new Credentials();
    const linked = await linkCompanion(relay, phone, credentials, { version: [2, 3000, 5] });
    relay.setMinimumVersion('2.3000.6');
    await linked.close();
    const refused = new Companion(relay, credentials, { version: [2, 3000, 5] });
    expect(await refused.closed()).toMatchObject({ statusCode: 405, data: { reason: '405' } });
    expect(relay.journal.of('login').at(-1)).toMatchObject({ refused: '405' });
    await (await logIn(relay, credentials, { version: [2, 3000, 6] })).close();
  });

  it('refuses an older client that registers, before it gets a code', async () => {
    relay.setMinimumVersion('2.3000.6');
    const refused = new Companion(relay, new Credentials(), { version: [2, 3000, 5] });
    expect(await refused.closed()).toMatchObject({ statusCode: 405 });
    expect(relay.journal.of('pairing')).toEqual([]);
    const admitted = new Companion(relay, new Credentials(), { version: [2, 3000, 6] });
    expect(await admitted.qr()).toContain(',');
    await admitted.close();
  });
});
