import { createHmac } from 'node:crypto';
import type { BinaryNode } from 'baileys';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRecipient, createRelay, type Phone, type Recipient, type Relay } from '../index.js';
import { type Companion, linkCompanion } from '../../test/companion.js';
import { message, participants } from '../../test/stanzas.js';

const sender = '4915100000001';
const other = '4915100000002';
const weekMs = 7 * 86_400_000;

describe('people who require a token from strangers', () => {
  let relay: Relay;
  let phone: Phone;
  let companion: Companion;
  let recipient: Recipient;

  async function errorOf(...token: BinaryNode[]): Promise<string | undefined> {
    const { jid } = recipient.phone;
    return (await companion.sendRaw(message({ to: jid }, [participants([jid]), ...token]))).error;
  }

  /** The token in the next notification. */
  async function nextToken(issue: () => void): Promise<BinaryNode> {
    const told = new Promise<BinaryNode>((resolve) => {
      companion.socket.ws.once('CB:notification,type:privacy_token', ({ content }: { content: BinaryNode[] }) => {
        const [tokens] = content;
        const [token] = Array.isArray(tokens?.content) ? tokens.content : [];
        resolve({ tag: 'tctoken', attrs: {}, content: token?.content ?? '' });
      });
    });
    issue();
    return told;
  }

  beforeAll(async () => {
    relay = await createRelay();
    phone = await relay.createPhone(sender);
    companion = await linkCompanion(relay, phone);
    recipient = await createRecipient(relay, other);
    recipient.phone.requireToken(true);
  });

  afterAll(async () => {
    await companion.close();
    await recipient.close();
    await relay.close();
  });

  it('get no message without one: the server refuses it with 463', async () => {
    expect(await errorOf()).toBe('463');
    expect(relay.journal.of('message').at(-1)).toMatchObject({ rule: 'token', token: null });
  });

  it('get a first message whose token comes from the salt of the sender’s account', async () => {
    const content = createHmac('sha256', phone.nctSalt).update(recipient.phone.lid).digest();
    expect(await errorOf({ tag: 'cstoken', attrs: {}, content })).toBeUndefined();
    const forNumber = createHmac('sha256', phone.nctSalt).update(recipient.phone.jid).digest();
    expect(await errorOf({ tag: 'cstoken', attrs: {}, content: forNumber })).toBe('463');
  });

  it('get messages with the token that they issued, for 26 weeks', async () => {
    const token = await nextToken(() => recipient.phone.vouchFor(sender));
    expect(await errorOf(token)).toBeUndefined();
    expect(await errorOf()).toBe('463');
    const old = await nextToken(() => recipient.phone.vouchFor(sender, new Date(Date.now() - 27 * weekMs)));
    expect(await errorOf(old)).toBe('463');
    expect(await errorOf({ tag: 'tctoken', attrs: {}, content: Buffer.alloc(16) })).toBe('463');
  });

  it('get messages without a token from people whom they wrote to', async () => {
    await recipient.send(sender, 'do write back');
    expect(await errorOf()).toBeUndefined();
  });
});
