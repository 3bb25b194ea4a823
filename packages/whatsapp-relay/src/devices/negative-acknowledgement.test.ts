import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Crowd, createRecipient, createRelay, type Phone, type Recipient, type Relay } from '../index.js';
import { Companion, Credentials, linkCompanion } from '../../test/companion.js';

const sender = '4915100000001';
const other = '4915100000002';

type Received = { readonly attrs: Record<string, string> };

describe('a message that a companion acknowledges with an error', () => {
  let relay: Relay;
  let phone: Phone;
  let recipient: Recipient;
  let companion: Companion;
  const credentials = new Credentials();

  /** Logs in a companion that acknowledges no messages, so that the test can do it. */
  async function logIn(): Promise<string[]> {
    companion = new Companion(relay, credentials);
    companion.socket.ws.removeAllListeners('CB:message');
    const seen: string[] = [];
    companion.socket.ws.on('CB:message', ({ attrs }: Received) => void seen.push(attrs['id'] ?? ''));
    await companion.opened();
    return seen;
  }

  async function answer(id: string, error?: string): Promise<void> {
    const { position } = relay.journal;
    await companion.socket.sendNode({
      tag: 'ack',
      attrs: { id, class: 'message', to: recipient.phone.jid, ...(error === undefined ? {} : { error }) },
    });
    await relay.journal.when(
      (entry) => entry.kind === 'acknowledgement' && entry.position > position && entry.id === id,
    );
  }

  beforeAll(async () => {
    relay = await createRelay();
    phone = await relay.createPhone(sender);
    recipient = await createRecipient(relay, other);
    companion = await linkCompanion(relay, phone, credentials);
  });

  beforeEach(() => companion.close());

  afterAll(async () => {
    await companion.close();
    await recipient.close();
    await relay.close();
  });

  it('comes first at each login and delays the rest until the companion acknowledges it plainly', async () => {
    await logIn();
    const status = phone.injectCrowd('status');
    await answer(status, '500');
    await companion.close();
    const waiting = await recipient.send(sender, 'held up');

    const seen = await logIn();
    const live = await recipient.send(sender, 'live traffic goes on');
    await expect.poll(() => seen).toEqual([status, live]);
    await answer(status);
    await expect.poll(() => seen).toEqual([status, live, waiting]);
    for (const id of [waiting, live]) await answer(id);
    expect(phone.devices()[0]?.backlog).toBe(0);
  });

  it('stays in the queue after a retry receipt, until the companion acknowledges it', async () => {
    await logIn();
    const id = phone.injectUndecryptable(other);
    await companion.socket.sendNode({ tag: 'receipt', attrs: { id, to: recipient.phone.jid, type: 'retry' } });
    await relay.journal.when((entry) => entry.kind === 'receipt' && entry.type === 'retry');
    expect(phone.devices()[0]?.backlog).toBe(1);
    await answer(id);
    expect(phone.devices()[0]?.backlog).toBe(0);
  });

  it('follows a preview that counts the waiting stanzas of each kind', async () => {
    const id = await recipient.send(sender, 'waits');
    const said: unknown[] = [];
    companion = new Companion(relay, credentials);
    companion.socket.ws.on('CB:ib', ({ content }: { content: Received[] }) => said.push(content[0]));
    await companion.messages.when(({ key }) => key.id === id);
    expect(said).toMatchObject([
      { tag: 'offline_preview', attrs: { count: '1', message: '1', receipt: '0', notification: '0' } },
      { tag: 'offline', attrs: { count: '1' } },
    ]);
  });

  it.each<Crowd>(['group', 'status', 'newsletter'])('is a %s that Baileys ignores', async (crowd) => {
    companion = new Companion(relay, credentials, { shouldIgnoreJid: () => true });
    await companion.opened();
    const id = phone.injectCrowd(crowd);
    await relay.journal.when((entry) => entry.kind === 'acknowledgement' && entry.id === id && entry.error === '500');
    await companion.close();
    await logIn();
    await answer(id);
  });
});
