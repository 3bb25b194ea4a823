import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createRelay, type Phone, type Relay } from '../index.js';
import { type Companion, linkCompanion } from '../../test/companion.js';
import { errorOf, usersOf, usync } from '../../test/queries.js';

const other = '4915100000002';
const brazilian = '551187654321';
const asDialled = '5511987654321';

describe('a usync query', () => {
  let relay: Relay;
  let companion: Companion;
  let phone: Phone;

  beforeAll(async () => {
    relay = await createRelay();
    companion = await linkCompanion(relay, await relay.createPhone('4915100000001'));
    phone = await relay.createPhone(other);
  });

  afterEach(() => relay.faults.clear());

  afterAll(async () => {
    await companion.close();
    await relay.close();
  });

  const contacts = async (...numbers: readonly string[]) =>
    usersOf(await usync(companion, { contact: {} }, ...numbers.map((number) => ({ number }))));

  it('tells numbers on WhatsApp, other numbers and malformed numbers apart, each as the query wrote it', async () => {
    expect(await contacts(`+${other}`, '+4915199999999', '+17')).toEqual([
      { attrs: { jid: phone.jid }, contact: { type: 'in', asked: `+${other}` } },
      { attrs: { jid: '4915199999999@s.whatsapp.net' }, contact: { type: 'out', asked: '+4915199999999' } },
      { attrs: { jid: 'undefined' }, contact: { type: 'invalid', asked: '+17' } },
    ]);
  });

  it('returns the LID first on request', async () => {
    const answer = await usync(companion, { contact: { addressing_mode: 'lid' } }, { number: `${other}@c.us` });
    expect(usersOf(answer)).toMatchObject([{ attrs: { jid: phone.lid, pn_jid: phone.jid }, contact: { type: 'in' } }]);
  });

  it('returns the server’s form of a number', async () => {
    const brazil = await relay.createPhone(brazilian);
    brazil.alsoWritten(asDialled);
    expect(await contacts(asDialled)).toEqual([
      { attrs: { jid: brazil.jid }, contact: { type: 'in', asked: asDialled } },
    ]);
    expect(relay.findPhone(asDialled)?.number).toBe(brazilian);
  });

  it('finds devices by either address, or by LID alone', async () => {
    const devices = async (jid: string) => usersOf(await usync(companion, { devices: {}, lid: {} }, { jid }));
    expect(await devices(phone.jid)).toEqual([{ attrs: { jid: phone.jid }, devices: ['0'], lid: phone.lid }]);
    expect(await devices(phone.lid)).toMatchObject([{ devices: ['0'] }]);
    phone.hideDevicesByNumber(true);
    expect(await devices(phone.jid)).toMatchObject([{ devices: [], lid: phone.lid }]);
    expect(await devices(phone.lid)).toMatchObject([{ devices: ['0'] }]);
    phone.hideDevicesByNumber(false);
  });

  it('may fail in one protocol for all users, with the time to wait', async () => {
    const fault = { kind: 'protocol-error', error: 429, text: 'rate-overlimit', backoffSeconds: 90 } as const;
    relay.faults.queries('usync', { ...fault, protocol: 'contact' });
    const numbers = await usync(companion, { contact: {} }, { number: other });
    expect(errorOf(numbers, 'contact')).toEqual({ code: '429', text: 'rate-overlimit', backoff: '90' });
    expect(usersOf(numbers)).toEqual([]);
    relay.faults.queries('usync', { ...fault, protocol: 'devices' });
    const devices = await usync(companion, { devices: {}, lid: {} }, { jid: phone.jid });
    expect(errorOf(devices, 'devices')).toMatchObject({ code: '429' });
    expect(usersOf(devices)).toEqual([{ attrs: { jid: phone.jid }, lid: phone.lid }]);
  });

  it('may fail in one protocol for each user', async () => {
    relay.faults.queries('usync', { kind: 'user-error', protocol: 'contact', error: 500, text: 'internal' });
    expect(await contacts(other)).toEqual([{ attrs: { jid: phone.jid }, contact: { error: '500' } }]);
    expect(await contacts(other)).toMatchObject([{ contact: { type: 'in' } }]);
  });
});
