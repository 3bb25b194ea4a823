import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRelay, type Phone, type Relay } from '../index.js';
import { Companion, Credentials, linkCompanion } from '../../test/companion.js';

describe('an account that links companions only with its passkey', () => {
  let relay: Relay;
  let phone: Phone;

  beforeAll(async () => {
    relay = await createRelay();
    phone = await relay.createPhone('4915500000001');
  });

  afterAll(() => relay.close());

  it.each(['passkey_prologue_request', 'crsc_continuation'] as const)(
    'sends the companion %s instead of an identity',
    async (as) => {
      phone.requirePasskey(true, { as });
      const companion = new Companion(relay, new Credentials());
      const asked = new Promise<void>((resolve) => {
        companion.socket.ws.on(`CB:notification,type:${as}`, () => resolve());
      });
      await expect(phone.scan(await companion.qr())).rejects.toThrow('only with its passkey');
      await asked;
      expect(phone.devices()).toEqual([]);
      await companion.close();
    },
  );

  it('links again when it no longer requires the passkey', async () => {
    phone.requirePasskey(false);
    const companion = await linkCompanion(relay, phone);
    expect(phone.devices()).toMatchObject([{ id: 1, connected: true }]);
    await companion.close();
  });
});
