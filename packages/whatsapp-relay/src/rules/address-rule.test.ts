import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRecipient, createRelay, type Phone, type Recipient, type Relay } from '../index.js';
import { type Companion, linkCompanion } from '../../test/companion.js';
import { message, participants } from '../../test/stanzas.js';

const sender = '4915100000001';
const other = '4915100000002';

describe('the address of a direct message', () => {
  let relay: Relay;
  let phone: Phone;
  let recipient: Recipient;
  let companion: Companion;

  const errorOf = async (to: string, copies: readonly string[]) =>
    (await companion.sendRaw(message({ to }, [participants(copies)]))).error;

  beforeAll(async () => {
    relay = await createRelay();
    phone = await relay.createPhone(sender);
    companion = await linkCompanion(relay, phone);
    recipient = await createRecipient(relay, other);
  });

  beforeEach(() => phone.setMigrated(true));

  afterAll(async () => {
    await companion.close();
    await recipient.close();
    await relay.close();
  });

  it('is a LID for a migrated account; the phone number is refused with 463', async () => {
    const { jid, lid } = recipient.phone;
    expect(await errorOf(lid, [lid, phone.lid])).toBeUndefined();
    expect(await errorOf(jid, [jid, phone.jid])).toBe('463');
    expect(relay.journal.of('message').at(-1)).toMatchObject({ address: jid, rule: 'address', outcome: 'refused' });
  });

  it('is a phone number for an account that is not migrated; a LID is refused with 400', async () => {
    phone.setMigrated(false);
    const { jid, lid } = recipient.phone;
    expect(await errorOf(jid, [jid, phone.jid])).toBeUndefined();
    expect(await errorOf(lid, [lid, phone.lid])).toBe('400');
  });

  it('is the same kind for every copy, the sender’s own devices included', async () => {
    const { lid } = recipient.phone;
    expect(await errorOf(lid, [lid, phone.jid])).toBe('400');
  });

  it('may be of either kind for the account itself', async () => {
    expect(await errorOf(phone.jid, [phone.jid])).toBeUndefined();
    expect(await errorOf(phone.lid, [phone.lid])).toBeUndefined();
  });

  it('is not checked by a relay that is not strict', async () => {
    const obliging = await createRelay({ strict: false });
    const own = await obliging.createPhone(sender);
    const { jid } = await obliging.createPhone(other);
    const writing = await linkCompanion(obliging, own);
    own.setMigrated(true);
    expect((await writing.sendRaw(message({ to: jid }, [participants([jid])]))).error).toBeUndefined();
    await writing.close();
    await obliging.close();
  });

  it('shows the receiver the sender’s LID and number, in the order of the receiver’s account', async () => {
    const heard = (id: string) => companion.messages.when(({ key }) => key.id === id);
    const first = await heard(await recipient.send(sender, 'to a migrated account'));
    expect(first.key).toMatchObject({ remoteJid: recipient.phone.lid, remoteJidAlt: recipient.phone.jid });
    phone.setMigrated(false);
    const second = await heard(await recipient.send(sender, 'to one that is not'));
    expect(second.key).toMatchObject({ remoteJid: recipient.phone.jid, remoteJidAlt: recipient.phone.lid });
  });

  it('has no number when the sender hides it', async () => {
    recipient.phone.hideNumber(true);
    const id = await recipient.send(sender, 'from a LID alone');
    const { key } = await companion.messages.when((heard) => heard.key.id === id);
    expect(key.remoteJid).toBe(recipient.phone.lid);
    expect(key.remoteJidAlt).toBeUndefined();
    recipient.phone.hideNumber(false);
  });

  it('is of the same kind in receipts and acknowledgements', async () => {
    phone.setMigrated(false);
    await companion.send(other, 'by number', 'R1');
    const receipt = new Promise<string | undefined>((resolve) => {
      companion.socket.ws.once('CB:receipt', ({ attrs }: { attrs: Record<string, string> }) => resolve(attrs['from']));
    });
    await recipient.read('R1');
    expect(await receipt).toBe(recipient.phone.jid);
    expect((await companion.acknowledged('R1')).from).toBe(recipient.phone.jid);
  });
});
