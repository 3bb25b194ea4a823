import { createHash } from 'node:crypto';
import { type BinaryNode, getAllBinaryNodeChildren, getBinaryNodeChild, getBinaryNodeChildren } from 'baileys';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRecipient, createRelay, type Phone, type Recipient, type Relay } from '../index.js';
import { participantHash } from '../wire/participant-hash.js';
import { type Companion, linkCompanion } from '../../test/companion.js';
import { message, participants } from '../../test/stanzas.js';

const sender = '4915100000001';
const other = '4915100000002';

describe('the sender’s list of devices', () => {
  let relay: Relay;
  let phone: Phone;
  let companion: Companion;
  let recipient: Recipient;

  const send = (...jids: readonly string[]) =>
    companion.sendRaw(message({ to: recipient.phone.jid }, [participants(jids)]));
  const reader = () => `${other}:${recipient.deviceId}@s.whatsapp.net`;

  beforeAll(async () => {
    relay = await createRelay();
    phone = await relay.createPhone(sender);
    companion = await linkCompanion(relay, phone);
    recipient = await createRecipient(relay, other);
  });

  afterAll(async () => {
    await companion.close();
    await recipient.close();
    await relay.close();
  });

  it('is out of date when the acknowledgement has the hash of another list', async () => {
    const { jid } = recipient.phone;
    expect((await send(jid, reader(), phone.jid)).phash).toBeUndefined();
    const present = [jid, reader(), phone.jid, `${sender}:1@s.whatsapp.net`];
    expect((await send(jid, phone.jid)).phash).toBe(participantHash(present));
    expect((await send(jid, reader())).phash).toBe(participantHash(present));
  });

  it('is out of date when the acknowledgement asks to refresh the LID', async () => {
    relay.faults.messages({ kind: 'refresh-lid' }, { to: other });
    const { jid } = recipient.phone;
    expect(await send(jid, reader(), phone.jid)).toMatchObject({ refresh_lid: 'true' });
    expect((await send(jid, reader(), phone.jid)).refresh_lid).toBeUndefined();
  });

  it('gets each new device with the hash of the present list', async () => {
    await companion.send(other, 'so that it counts as a contact', 'CONTACT');
    const told = new Promise<BinaryNode>((resolve) => {
      companion.socket.ws.once('CB:notification,type:devices', resolve);
    });
    const second = await linkCompanion(relay, recipient.phone);
    const [change] = getAllBinaryNodeChildren(await told);
    const all = recipient.phone.devices().map(({ id }) => `${other}:${id}@s.whatsapp.net`);
    expect(change).toMatchObject({
      tag: 'add',
      attrs: { device_hash: participantHash([recipient.phone.jid, ...all]) },
    });
    await second.close();
  });

  it('may lack the keys of one device', async () => {
    const wanted = [recipient.phone.jid, reader()];
    recipient.phone.breakKeys(recipient.deviceId, true);
    const answer: BinaryNode = await companion.socket.query({
      tag: 'iq',
      attrs: { to: 's.whatsapp.net', type: 'get', xmlns: 'encrypt' },
      content: [{ tag: 'key', attrs: {}, content: wanted.map((jid) => ({ tag: 'user', attrs: { jid } })) }],
    });
    const users = getBinaryNodeChildren(getBinaryNodeChild(answer, 'list'), 'user');
    expect(users.map((user) => getBinaryNodeChild(user, 'error')?.attrs['code'])).toEqual([undefined, '406']);
    recipient.phone.breakKeys(recipient.deviceId, false);
  });
});

it('hashes the addresses with agent and device, in order', () => {
  const jids = ['4915100000002:3@s.whatsapp.net', '4915100000002@s.whatsapp.net'];
  const written = '4915100000002.0:0@s.whatsapp.net4915100000002.0:3@s.whatsapp.net';
  const hash = createHash('sha256').update(written).digest().subarray(0, 6).toString('base64');
  expect(participantHash(jids)).toBe(`2:${hash}`);
});
