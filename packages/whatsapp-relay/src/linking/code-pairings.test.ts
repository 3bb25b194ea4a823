import { BufferJSON } from 'baileys';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRelay, type Phone, type Relay } from '../index.js';
import { Companion, Credentials } from '../../test/companion.js';

describe('a pairing code', () => {
  let relay: Relay;
  let phone: Phone;
  let companion: Companion;
  let numbers = 4915400000000;

  /** Baileys returns the code before the server has answered, so this waits until the relay has the request. */
  async function requestCode(from: Relay = relay): Promise<string> {
    const { position } = from.journal;
    const code = await companion.socket.requestPairingCode(phone.number);
    await from.journal.when(
      (entry) => entry.position > position && entry.kind === 'pairing' && entry.method === 'pairing_code',
    );
    return code;
  }

  async function open(on: Relay): Promise<void> {
    numbers += 1;
    phone = await on.createPhone(String(numbers));
    companion = new Companion(on, new Credentials());
    await companion.qr();
  }

  beforeAll(async () => {
    relay = await createRelay();
  });

  beforeEach(() => open(relay));

  afterEach(async () => {
    relay.faults.clear();
    await companion.close();
  });

  afterAll(() => relay.close());

  it('is valid for its lifetime only', async () => {
    await companion.close();
    const hasty = await createRelay({ pairingCodeLifetimeMs: -1 });
    await open(hasty);
    const code = await requestCode(hasty);
    await expect(phone.pair(code)).rejects.toThrow('has expired');
    await hasty.close();
  });

  it('is invalid after the server refreshed it, and the companion learns which code that is', async () => {
    const told = new Promise<string>((resolve) => {
      companion.socket.ws.on('CB:notification,type:link_code_companion_reg', (stanza: unknown) => {
        resolve(JSON.stringify(stanza, BufferJSON.replacer));
      });
    });
    const code = await requestCode();
    relay.refreshPairingCode(phone.number, { manual: true });
    expect(await told).toMatch(/"stage":"refresh_code".*"force_manual_refresh":"true".*"link_code_pairing_ref"/);
    await expect(phone.pair(code)).rejects.toThrow('no companion asked');
    expect(() => relay.refreshPairingCode(phone.number)).toThrow('no companion asked');
  });

  it('links nothing when the companion answers with a foreign reference, as plain Baileys does', async () => {
    relay.faults.pairings({ kind: 'stray-hello' });
    const code = await requestCode();
    await expect(phone.pair(code)).rejects.toThrow('code was wrong');
    expect(phone.devices()).toEqual([]);
  });
});
