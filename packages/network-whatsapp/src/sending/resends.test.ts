import type { ConnectOptions } from '@kurir/network';
import { waitUntil } from '@kurir/network/conformance';
import { expect, test, vi } from 'vitest';
import { withRelayFixture } from '../../test/relay-fixture.js';

test(
  'a receiver that lost its keys gets the text again from a later session, which reads it from the store',
  withRelayFixture(async (fixture) => {
    const first = await fixture.online();
    const recipient = await fixture.person();
    await first.session.send(fixture.message(recipient.number));
    // Until the other side has answered, every message introduces a new session.
    await recipient.send(fixture.phone.number, 'Halo juga');
    await waitUntil('the answer came', () => first.inbound.length === 1);
    await recipient.disconnect();
    const message = fixture.message(recipient.number, 'Kode: 1234');
    expect(await first.session.send(message)).toEqual({ kind: 'sent' });
    await first.session.close();

    const readMessage = vi.fn<NonNullable<ConnectOptions['readMessage']>>(async () => ({
      recipient: message.recipient,
      content: message.content,
    }));
    const second = await fixture.connected({ readMessage });
    await recipient.loseSessions();
    await recipient.connect();
    expect(await recipient.received(message.networkMessageId)).toMatchObject({ text: 'Kode: 1234', copies: 1 });
    expect(readMessage).toHaveBeenCalledWith(message.networkMessageId);
    await waitUntil('it was delivered', () => second.receipts.some(({ status }) => status === 'delivered'));
  }),
);

test(
  'a receiver that lost its keys gets the text again in the same session, which keeps no text in memory',
  withRelayFixture(async (fixture) => {
    const readMessage = vi.fn<NonNullable<ConnectOptions['readMessage']>>(async () => ({
      recipient: message.recipient,
      content: message.content,
    }));
    const { session, inbound } = await fixture.online({ readMessage });
    const recipient = await fixture.person();
    const message = fixture.message(recipient.number, 'Kode: 1234');
    await session.send(fixture.message(recipient.number));
    await recipient.send(fixture.phone.number, 'Halo juga');
    await waitUntil('the answer came', () => inbound.length === 1);
    await recipient.loseSessions();
    expect(await session.send(message)).toEqual({ kind: 'sent' });
    expect(await recipient.received(message.networkMessageId)).toMatchObject({ text: 'Kode: 1234', copies: 1 });
    expect(readMessage).toHaveBeenCalledWith(message.networkMessageId);
  }),
);
