import { proto } from 'baileys';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRecipient, createRelay, type Phone, type Recipient, type Relay } from '../index.js';
import { type Companion, Credentials, linkCompanion } from '../../test/companion.js';

const sender = '4915100000001';
const friend = '4915100000002';
const issuedAt = new Date(1_700_000_000_000);

/** Baileys would wait for recent messages if it wanted them. This phone has none. */
const isWanted = ({ syncType }: proto.Message.IHistorySyncNotification) =>
  syncType !== proto.Message.HistorySyncType.RECENT;

describe('a phone with a new companion', () => {
  let relay: Relay;
  let phone: Phone;
  let recipient: Recipient;
  let companion: Companion;
  let credentials: Credentials;

  beforeEach(async () => {
    relay = await createRelay();
    phone = await relay.createPhone(sender);
    recipient = await createRecipient(relay, friend);
    await recipient.send(sender, 'before there was a companion');
    // zapo-js issues a token to the receiver after its message. The token of the next line is the newer one.
    await relay.journal.when((entry) => entry.kind === 'query' && entry.query === 'privacy-tokens');
    recipient.phone.vouchFor(sender, issuedAt);
    credentials = new Credentials();
    companion = await linkCompanion(relay, phone, credentials, { shouldSyncHistoryMessage: isWanted });
  });

  afterEach(async () => {
    await companion.close();
    await recipient.close();
    await relay.close();
  });

  const chats = () =>
    new Promise<readonly proto.IConversation[]>((resolve) => {
      companion.socket.ev.on('messaging-history.set', ({ chats: told }) => resolve(told));
    });

  it('shares its chats, with people’s tokens and both of their addresses', async () => {
    const told = chats();
    const id = await phone.shareHistory(1, { inline: true });
    const [chat, ...others] = await told;
    expect(others).toEqual([]);
    expect(chat).toMatchObject({ id: recipient.phone.jid, lidJid: recipient.phone.lid });
    expect(chat?.tcToken).toHaveLength(16);
    expect(Number(chat?.tcTokenTimestamp)).toBe(issuedAt.getTime() / 1_000);
    await relay.journal.when(
      (entry) => entry.kind === 'receipt' && entry.ids.includes(id) && entry.type === 'hist_sync',
    );
    await expect.poll(() => phone.devices()[0]?.backlog).toBe(0);
  });

  it('shares people’s names and its own, twice in the same session', async () => {
    phone.setPushName('Toko Budi');
    const named = new Promise<unknown>((resolve) => {
      companion.socket.ev.on('messaging-history.set', ({ contacts }) => resolve(contacts));
    });
    const told = await phone.shareHistory(1, { kind: 'push-names', inline: true });
    expect(told).not.toBe(await phone.shareHistory(1, { kind: 'push-names', inline: true }));
    expect(await named).toContainEqual({ id: phone.jid, notify: 'Toko Budi' });
    await expect.poll(() => phone.devices()[0]?.backlog).toBe(0);
  });

  it('puts the encrypted history on the media host if it is not in the message', async () => {
    const asked = new Promise<proto.Message.IHistorySyncNotification>((resolve) => {
      companion.socket.ev.on('messages.upsert', ({ messages }) => {
        const notification = messages[0]?.message?.protocolMessage?.historySyncNotification;
        if (notification) resolve(notification);
      });
    });
    await phone.shareHistory(1);
    const { directPath, fileEncSha256 } = await asked;
    expect(directPath).toMatch(/^\/v\/\d+$/);
    expect(fileEncSha256).toHaveLength(32);
  });

  it('gives it the app state, which holds the account’s name', async () => {
    phone.setPushName('Toko Budi');
    const named = new Promise<string | undefined>((resolve) => {
      companion.socket.ev.on('creds.update', ({ me }) => {
        if (me?.name !== undefined) resolve(me.name);
      });
    });
    await phone.shareAppState(1);
    expect(await named).toBe('Toko Budi');
    // The companion opened the patches with the key: each collection has the server's version.
    const versions = () => credentials.keys.get('app-state-sync-version', ['regular_high', 'critical_block']);
    await expect
      .poll(async () => Object.values(await versions()).map(({ version }) => version), { timeout: 5_000 })
      .toEqual([1, 1]);
    await companion.socket.resyncAppState(['regular_high', 'regular_low'], true);
  });

  it('tells it that the chats use LIDs now, and who has which LID', async () => {
    const { lidMapping } = companion.socket.signalRepository;
    expect(phone.isMigrated).toBe(false);
    await phone.migrate();
    expect(phone.isMigrated).toBe(true);
    await expect.poll(() => lidMapping.getPNForLID(recipient.phone.lid)).toMatch(new RegExp(`^${friend}(:0)?@`));
    await expect.poll(() => phone.devices()[0]?.backlog).toBe(0);
  });
});
