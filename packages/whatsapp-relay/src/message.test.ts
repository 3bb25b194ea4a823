import { WAMessageStatus as Status } from 'baileys';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRecipient, createRelay, type Recipient, type Relay } from './index.js';
import { type Companion, linkCompanion } from './testing/companion.js';

const sender = '4915100000001';
const other = '4915100000002';

describe('messages between Baileys and zapo-js', () => {
  let relay: Relay;
  let companion: Companion;
  let recipient: Recipient;

  beforeAll(async () => {
    relay = await createRelay();
    companion = await linkCompanion(relay, await relay.createPhone(sender));
    recipient = await createRecipient(relay, other);
  });

  afterAll(async () => {
    await companion.close();
    await recipient.close();
    await relay.close();
  });

  it('acknowledges, delivers the text and brings the receipts back', async () => {
    expect((await companion.send(other, 'hello', 'M1')).error).toBeUndefined();
    expect(await recipient.received('M1')).toMatchObject({ from: sender, text: 'hello', copies: 1 });
    await companion.status('M1', Status.DELIVERY_ACK);
    await recipient.read('M1');
    await companion.status('M1', Status.READ);
  });
});
