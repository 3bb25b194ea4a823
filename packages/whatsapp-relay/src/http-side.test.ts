import { WAMessageStatus } from 'baileys';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpSide, httpSide } from './http-side.js';
import { createRecipient, createRelay, type Relay } from './index.js';
import { Companion, Credentials, linkCompanion, logIn } from '../test/companion.js';

const sender = '4915100000001';
const receiver = '4915100000002';

describe('the HTTP side', () => {
  let relay: Relay;
  let side: HttpSide | null = null;
  let base = '';
  let statusAtStart = 0;

  async function call(method: string, path: string, body?: object): Promise<{ status: number; body: unknown }> {
    const response = await fetch(`${base}${path}`, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
    return { status: response.status, body: await response.json() };
  }

  beforeAll(async () => {
    relay = await createRelay({ onRequest: httpSide(() => side) });
    base = relay.url.replace('ws:', 'http:').replace('/ws/chat', '');
    statusAtStart = (await call('GET', '/')).status;
    side = { relay, recipients: new Map([[receiver, await createRecipient(relay, receiver)]]) };
  });

  afterAll(async () => {
    await side?.recipients.get(receiver)?.close();
    await relay.close();
  });

  it('reports that it is starting until its recipients exist', () => {
    expect(statusAtStart).toBe(503);
  });

  it('refuses unknown paths, verbs and codes', async () => {
    expect((await call('GET', '/nothing')).status).toBe(404);
    expect((await call('POST', `/phones/${sender}/inbox`)).status).toBe(405);
    expect((await call('GET', `/phones/${sender}/inbox`)).status).toBe(404);
    expect(await call('POST', `/phones/${sender}/scan`, { code: 'x' })).toMatchObject({ status: 409 });
    expect(await call('POST', `/phones/${sender}/scan`, {})).toMatchObject({ status: 409 });
  });

  it('sets whether the chats of a phone use LIDs', async () => {
    const path = `/phones/4915100000077/migrated`;
    expect(await call('POST', path, { migrated: 'no' })).toMatchObject({ status: 400 });
    expect(await call('POST', path, { migrated: false })).toMatchObject({ status: 200 });
    expect(relay.findPhone('4915100000077')?.isMigrated).toBe(false);
  });

  it('makes a phone link companions only with its passkey', async () => {
    const number = '4915100000004';
    expect(await call('POST', `/phones/${number}/passkey`, { required: 'yes' })).toMatchObject({ status: 400 });
    expect(await call('POST', `/phones/${number}/passkey`, { required: true })).toMatchObject({ status: 200 });
    const companion = new Companion(relay, new Credentials());
    const scanned = await call('POST', `/phones/${number}/scan`, { code: await companion.qr() });
    expect(scanned).toEqual({ status: 409, body: { error: expect.stringContaining('passkey') } });
    await companion.close();
  });

  it('returns the address of the relay', async () => {
    expect(await call('GET', '/')).toMatchObject({ body: { url: relay.url, recipients: [receiver] } });
  });

  it('makes a phone report deliveries, and returns the counters', async () => {
    const phone = await relay.createPhone(sender);
    const companion = await linkCompanion(relay, phone);
    expect(await call('POST', '/phones/4915100000003/deliveries')).toMatchObject({ status: 200 });
    await companion.send('4915100000003', 'into a pocket', 'POCKET');
    await companion.status('POCKET', WAMessageStatus.DELIVERY_ACK);
    expect(await call('GET', '/counters')).toMatchObject({ body: { messages: 1, receipts: 1 } });
    await companion.close();
    phone.unlink(1);
  });

  it('links by a scan and shows the messages that arrived', async () => {
    const credentials = new Credentials();
    const linking = new Companion(relay, credentials);
    const scanned = await call('POST', `/phones/${sender}/scan`, { code: await linking.qr() });
    expect(scanned).toMatchObject({ status: 200, body: { id: 2 } });
    await linking.closed();
    const companion = await logIn(relay, credentials);
    expect(await call('GET', `/phones/${sender}`)).toMatchObject({ body: [{ id: 2, connected: true }] });
    expect(await call('GET', '/phones')).toMatchObject({
      body: {
        phones: expect.arrayContaining([
          expect.objectContaining({ number: receiver, recipient: true, devices: [] }),
          expect.objectContaining({ number: sender, recipient: false, devices: [expect.objectContaining({ id: 2 })] }),
        ]),
      },
    });
    await companion.send(receiver, 'seen by a person', 'HTTP');
    await side?.recipients.get(receiver)?.received('HTTP');
    const inbox = await call('GET', `/phones/${receiver}/inbox`);
    expect(inbox).toMatchObject({ body: { messages: [{ id: 'HTTP', from: sender, text: 'seen by a person' }] } });
    const sent = await call('POST', `/phones/${receiver}/send`, { to: sender, text: 'back' });
    const { id } = sent.body as { id: string };
    await companion.messages.when(({ key }) => key.id === id);
    const writes = async (verb: string, letter: object, more: object = {}) => {
      const written = await call('POST', `/phones/4915100000005/${verb}`, { to: sender, letter, ...more });
      return companion.messages.when(({ key }) => key.id === (written.body as { id: string }).id);
    };
    expect(await call('POST', '/phones/4915100000005/number', { hidden: 'yes' })).toMatchObject({ status: 400 });
    expect(await call('POST', '/phones/4915100000005/number', { hidden: true })).toMatchObject({ status: 200 });
    const written = await writes('write', { kind: 'reaction', of: 'HTTP', emoji: '👍' });
    expect(written).toMatchObject({ message: { reactionMessage: { text: '👍', key: { id: 'HTTP' } } } });
    expect(written.key.remoteJid).toBe(relay.findPhone('4915100000005')?.lid);
    expect(written.key.remoteJidAlt).toBeUndefined();
    const inGroup = await writes('write', { kind: 'text', text: 'to all' }, { group: '120363000000000001' });
    expect(inGroup).toMatchObject({
      key: { remoteJid: '120363000000000001@g.us', participant: written.key.remoteJid },
      message: { conversation: 'to all' },
    });
    const poll = { to: sender, letter: { kind: 'poll', question: 'Why?' } };
    expect(await call('POST', '/phones/4915100000005/write', poll)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('options') },
    });
    expect(await call('POST', '/phones/4915100000005/write', { to: sender })).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('kind') },
    });
    const own = await call('POST', `/phones/${sender}/write-elsewhere`, {
      to: receiver,
      letter: { kind: 'text', text: 'from the phone' },
    });
    const { id: ownId } = own.body as { id: string };
    const copy = await companion.messages.when(({ key }) => key.id === ownId);
    expect(copy).toMatchObject({ key: { fromMe: true }, message: { conversation: 'from the phone' } });
    expect(await call('POST', `/phones/${sender}/timelock`, { until: 'soon' })).toMatchObject({ status: 400 });
    const until = new Date(Date.now() + 60_000).toISOString();
    expect(await call('POST', `/phones/${sender}/timelock`, { until })).toMatchObject({ body: { until } });
    expect(await call('POST', `/phones/${sender}/unlink`, { device: 2 })).toMatchObject({ status: 200, body: [] });
    await companion.close();
  });
});
