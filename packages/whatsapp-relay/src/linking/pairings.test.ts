import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRecipient, createRelay, type Phone, type Relay } from '../index.js';
import { Companion, Credentials, linkCompanion, logIn } from '../../test/companion.js';

const restartRequired = 515;
const loggedOut = 401;

describe('linking a companion', () => {
  let relay: Relay;
  let phone: Phone;
  let numbers = 4915200000000;
  const open: { close(): Promise<void> }[] = [];

  function keep<Closing extends { close(): Promise<void> }>(closing: Closing): Closing {
    open.push(closing);
    return closing;
  }

  /** Baileys returns the code before the server has answered, so this waits until the relay has the request. */
  async function requestCode(companion: Companion): Promise<string> {
    const { position } = relay.journal;
    const code = await companion.socket.requestPairingCode(phone.number);
    await relay.journal.when(
      (entry) => entry.position > position && entry.kind === 'pairing' && entry.method === 'pairing_code',
    );
    return code;
  }

  beforeAll(async () => {
    relay = await createRelay();
  });

  beforeEach(async () => {
    numbers += 1;
    phone = await relay.createPhone(String(numbers));
  });

  afterEach(async () => {
    relay.faults.clear();
    await Promise.all(open.splice(0).map((closing) => closing.close()));
  });

  afterAll(() => relay.close());

  it('refuses a code that no companion shows', async () => {
    await expect(phone.scan('https://wa.me/settings/linked_devices#x,x,x,x,1')).rejects.toThrow(
      'unknown or has expired',
    );
    await expect(phone.pair('ABCD-EFGH')).rejects.toThrow('no companion asked');
  });

  it('gives the reason when the companion closes before it is linked', async () => {
    const companion = new Companion(relay, new Credentials());
    const qr = await companion.qr();
    await companion.close();
    await relay.journal.when(({ kind }) => kind === 'pairing');
    await expect(phone.scan(qr)).rejects.toThrow(/expired|without confirming/);
  });

  it('links nothing when somebody changed the QR', async () => {
    const companion = keep(new Companion(relay, new Credentials()));
    const parts = (await companion.qr()).split(',');
    parts[3] = randomBytes(32).toString('base64');
    await expect(phone.scan(parts.join(','))).rejects.toThrow('without confirming');
    expect(phone.devices()).toEqual([]);
  });

  it('links by QR, restarts the stream, and logs in', async () => {
    const credentials = new Credentials();
    const companion = keep(new Companion(relay, credentials));
    const device = await phone.scan(await companion.qr());
    expect(device.name).toBe(`${phone.number}:1`);
    expect((await companion.closed()).statusCode).toBe(restartRequired);
    keep(await logIn(relay, credentials));
    expect(phone.devices()).toMatchObject([{ id: 1, connected: true }]);
    expect(phone.devices()[0]?.oneTimePreKeys).toBeGreaterThan(100);
  });

  it('logs in again with the same credentials without a new link', async () => {
    const credentials = new Credentials();
    await (await linkCompanion(relay, phone, credentials)).close();
    const { position } = relay.journal;
    keep(await logIn(relay, credentials));
    const entries = relay.journal.entries({ since: position });
    expect(entries.filter(({ kind }) => kind === 'linked' || kind === 'pairing')).toEqual([]);
    expect(relay.journal.counters({ from: phone.number, since: position }).usyncQueries).toBe(0);
  });

  it('links by pairing code', async () => {
    const credentials = new Credentials();
    const companion = keep(new Companion(relay, credentials));
    await companion.qr();
    const code = await requestCode(companion);
    const device = await phone.pair(`${code.slice(0, 4)}-${code.slice(4)}`);
    expect(device.id).toBe(1);
    expect((await companion.closed()).statusCode).toBe(restartRequired);
    keep(await logIn(relay, credentials));
  });

  it('links nothing with a wrong code, and then links with the right one', async () => {
    const companion = keep(new Companion(relay, new Credentials()));
    await companion.qr();
    const code = await requestCode(companion);
    await expect(phone.pair('WRNGCODE')).rejects.toThrow('code was wrong');
    expect(phone.devices()).toEqual([]);
    expect((await phone.pair(code)).id).toBe(1);
  });

  it('refuses a pairing code under an invented display name', async () => {
    const companion = keep(new Companion(relay, new Credentials(), { browser: ['Acme', 'Chrome', '1.0'] }));
    await companion.qr();
    const code = await requestCode(companion);
    await expect(phone.pair(code)).rejects.toThrow('no companion asked');
  });

  it('refuses a pairing code on request', async () => {
    relay.faults.pairings({ kind: 'refuse-code', error: 429 });
    const companion = keep(new Companion(relay, new Credentials()));
    await companion.qr();
    const refused = new Promise<string>((resolve) => {
      companion.socket.ws.on('CB:iq,type:error', (iq: { content: { attrs: { code: string } }[] }) => {
        resolve(iq.content[0]?.attrs.code ?? '');
      });
    });
    await companion.socket.requestPairingCode(phone.number);
    expect(await refused).toBe('429');
  });

  it('links nothing when a client ignores the registration refresh, as plain Baileys does', async () => {
    const companion = keep(new Companion(relay, new Credentials()));
    const qr = await companion.qr();
    relay.refreshRegistration(qr);
    await expect(phone.scan(qr)).rejects.toThrow('did not take the registration refresh');
  });

  it('links by the new QR after the client took the refresh, and never by the old one', async () => {
    const credentials = new Credentials();
    const companion = keep(new Companion(relay, credentials));
    const refreshed = rotateOnRefresh(companion, credentials);
    const old = await companion.qr();
    relay.refreshRegistration(old);
    const renewed = await refreshed;
    expect(renewed).not.toBe(old);
    await expect(phone.scan(old)).rejects.toThrow('of a retired registration');
    expect((await phone.scan(renewed)).id).toBe(1);
  });

  it('refreshes a registration on request', async () => {
    relay.faults.pairings({ kind: 'registration-refresh' });
    const credentials = new Credentials();
    const companion = keep(new Companion(relay, credentials));
    const renewed = await rotateOnRefresh(companion, credentials);
    expect((await phone.scan(renewed)).id).toBe(1);
  });

  it('offers as many QR codes as `qrCodes` says, and then Baileys ends the attempt', async () => {
    const other = keep(await createRelay({ qrCodes: 1 }));
    const companion = new Companion(other, new Credentials(), { qrTimeout: 50 });
    await companion.qr();
    expect((await companion.closed()).statusCode).toBe(408);
  });

  it('links zapo-js, which takes the refresh by itself', async () => {
    relay.faults.pairings({ kind: 'registration-refresh' });
    const recipient = keep(await createRecipient(relay, phone.number));
    expect(recipient.phone.devices()).toMatchObject([{ connected: true }]);
  });

  it('unlinks when the companion asks for it, and refuses its next login', async () => {
    const credentials = new Credentials();
    const companion = await linkCompanion(relay, phone, credentials);
    await companion.socket.logout();
    await relay.journal.when((entry) => entry.kind === 'unlinked' && entry.device === `${phone.number}:1`);
    expect(phone.devices()).toEqual([]);
    const again = new Companion(relay, credentials);
    expect((await again.closed()).statusCode).toBe(loggedOut);
  });

  it('unlinks when the phone asks for it', async () => {
    const companion = await linkCompanion(relay, phone);
    phone.unlink(1);
    expect((await companion.closed()).statusCode).toBe(loggedOut);
  });
});

/**
 * Plays a good client from outside of Baileys: it makes a new secret, acknowledges, and shows a QR with that secret.
 */
function rotateOnRefresh(companion: Companion, credentials: Credentials): Promise<string> {
  const { socket } = companion;
  return new Promise((resolve, reject) => {
    const take = async (notification: { attrs: Record<string, string> }): Promise<void> => {
      const { id = '', from = '', type = '' } = notification.attrs;
      socket.ev.emit('creds.update', { advSecretKey: randomBytes(32).toString('base64') });
      await socket.sendNode({ tag: 'ack', attrs: { id, to: from, class: 'notification', type } });
      const parts = (await companion.qr()).split(',');
      parts[3] = credentials.creds.advSecretKey;
      resolve(parts.join(','));
    };
    socket.ws.on('CB:notification,type:companion_reg_refresh', (notification: { attrs: Record<string, string> }) => {
      take(notification).catch(reject);
    });
  });
}
