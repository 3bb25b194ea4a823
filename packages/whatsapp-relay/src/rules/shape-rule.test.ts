import { type BinaryNode, proto } from 'baileys';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRecipient, createRelay, type Phone, type Recipient, type Relay } from '../index.js';
import { type Companion, linkCompanion } from '../../test/companion.js';
import { message, participants, sealed } from '../../test/stanzas.js';

const sender = '4915100000001';
const other = '4915100000002';
const identity: BinaryNode = { tag: 'device-identity', attrs: {}, content: Buffer.from('signed') };

describe('the shape of a direct message', () => {
  let relay: Relay;
  let phone: Phone;
  let receiver: Phone;
  let companion: Companion;

  const errorOf = async (content: BinaryNode[], attrs: Record<string, string> = {}) =>
    (await companion.sendRaw(message({ to: receiver.jid, ...attrs }, content))).error;

  beforeAll(async () => {
    relay = await createRelay();
    phone = await relay.createPhone(sender);
    receiver = await relay.createPhone(other);
    companion = await linkCompanion(relay, phone);
  });

  afterAll(async () => {
    await companion.close();
    await relay.close();
  });

  it('has several copies for devices, or a single one', async () => {
    expect(await errorOf([participants([receiver.jid, phone.jid])])).toBeUndefined();
    expect(await errorOf([sealed()])).toBeUndefined();
  });

  it.each([
    ['a bare copy next to copies for devices', () => [sealed(), participants([receiver.jid])]],
    ['no copy at all', () => []],
    ['an empty list of devices', () => [participants([])]],
    ['two bare copies', () => [sealed(), sealed()]],
    ['two copies for one device', () => [participants([receiver.jid, receiver.jid])]],
    ['a copy that opens a session, without the identity of its sender', () => [sealed({ type: 'pkmsg' })]],
  ])('is refused with 479 when it has %s', async (_what, content) => {
    expect(await errorOf(content())).toBe('479');
    expect(relay.journal.of('message').at(-1)).toMatchObject({ rule: 'shape', error: 479 });
  });

  it('is refused with 479 without a type', async () => {
    const { attrs } = message({ to: receiver.jid }, []);
    const { type: _left, ...rest } = attrs;
    expect(await companion.sendRaw({ tag: 'message', attrs: rest, content: [sealed()] })).toMatchObject({
      error: '479',
    });
  });

  it('may open a session with the identity of its sender', async () => {
    expect(await errorOf([participants([receiver.jid], { type: 'pkmsg' }), identity])).toBeUndefined();
  });

  it('has no token when it goes to the own phone', async () => {
    const own = { to: phone.jid, category: 'peer' };
    expect(await errorOf([sealed()], own)).toBeUndefined();
    expect(await errorOf([sealed(), { tag: 'tctoken', attrs: {}, content: Buffer.alloc(16) }], own)).toBe('479');
  });

  it('has one copy with the number of the try for a companion that asked again', async () => {
    const to = `${other}:1@s.whatsapp.net`;
    expect(await errorOf([sealed({ count: '1' })], { to })).toBeUndefined();
    expect(await errorOf([sealed()], { to })).toBe('479');
    expect(await errorOf([participants([to])], { to })).toBe('479');
  });
});

describe('a recipient’s companion that lost its sessions', () => {
  let relay: Relay;
  let companion: Companion;
  let recipient: Recipient;

  async function start(strict: boolean): Promise<void> {
    relay = await createRelay({ strict });
    recipient = await createRecipient(relay, other);
    companion = await linkCompanion(relay, await relay.createPhone(sender), undefined, {
      getMessage: async () => proto.Message.create({ conversation: 'sent twice' }),
    });
    await companion.send(other, 'before', 'LOST-1');
    await recipient.received('LOST-1');
    await recipient.send(sender, 'now both have a session');
    await companion.messages.when(({ key }) => key.remoteJid === recipient.phone.jid);
    await recipient.loseSessions();
    await companion.send(other, 'sent twice', 'LOST-2');
  }

  async function stop(): Promise<void> {
    await companion.close();
    await recipient.close();
    await relay.close();
  }

  it('gets a stanza from Baileys 7.0.0-rc14 that the server refuses', async () => {
    await start(true);
    await relay.journal.when((entry) => entry.kind === 'message' && entry.id === 'LOST-2' && entry.rule === 'shape');
    expect(recipient.inbox.map(({ id }) => id)).not.toContain('LOST-2');
    await stop();
  });

  it('reads that stanza if the relay is not strict', async () => {
    await start(false);
    expect(await recipient.received('LOST-2')).toMatchObject({ text: 'sent twice', copies: 1 });
    expect(relay.journal.counters({ from: other }).retryReceipts).toBe(1);
    await stop();
  });
});
