import { WAMessageStatus as Status } from 'baileys';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createRecipient,
  createRelay,
  type AcknowledgementError,
  type Phone,
  type Recipient,
  type Relay,
} from '../index.js';
import { type Companion, Credentials, linkCompanion, logIn } from '../../test/companion.js';

const sender = '4915100000001';
const other = '4915100000002';
const connectionFault = 428;
const quickQueries = { defaultQueryTimeoutMs: 300 };
const acknowledgementErrors: AcknowledgementError[] = [400, 403, 404, 429, 463, 475, 479, 500, 503];

describe('faults', () => {
  let relay: Relay;
  let phone: Phone;
  let companion: Companion;
  let recipient: Recipient;
  const credentials = new Credentials();

  async function write(id: string): Promise<void> {
    await companion.socket.sendMessage(`${other}@s.whatsapp.net`, { text: id }, { messageId: id });
  }

  function outcome(id: string): unknown {
    return relay.journal.of('message', { from: sender }).find((message) => message.id === id)?.outcome;
  }

  beforeAll(async () => {
    relay = await createRelay();
    phone = await relay.createPhone(sender);
    recipient = await createRecipient(relay, other);
    companion = await linkCompanion(relay, phone, credentials, quickQueries);
    await write('WARM');
    await recipient.received('WARM');
  });

  beforeEach(async () => {
    if (companion.socket.ws.isOpen) return;
    companion = await logIn(relay, credentials, quickQueries);
  });

  afterEach(() => relay.faults.clear());

  afterAll(async () => {
    await companion.close();
    await recipient.close();
    await relay.close();
  });

  it.each(acknowledgementErrors)('refuses a message with %i, and delivers it to nobody', async (error) => {
    relay.faults.messages({ kind: 'refuse', error }, { from: sender, to: other });
    await write(`E${error}`);
    expect(await companion.acknowledged(`E${error}`)).toMatchObject({ error: String(error) });
    const { update } = await companion.status(`E${error}`, Status.ERROR);
    expect(update.messageStubParameters?.[0]).toBe(String(error));
    expect(outcome(`E${error}`)).toBe('refused');
    await write(`AFTER${error}`);
    expect((await companion.acknowledged(`AFTER${error}`)).error).toBeUndefined();
    await recipient.received(`AFTER${error}`);
    expect(recipient.inbox.map(({ id }) => id)).not.toContain(`E${error}`);
  });

  it('strikes as often as `times` says, and only within its scope', async () => {
    const armed = relay.faults.messages({ kind: 'refuse', error: 429 }, { to: other, times: 2 });
    const forOthers = relay.faults.messages({ kind: 'refuse', error: 500 }, { to: '4915100000099' });
    for (const id of ['T1', 'T2', 'T3']) await write(id);
    const errors = await Promise.all(['T1', 'T2', 'T3'].map(async (id) => (await companion.acknowledged(id)).error));
    expect(errors).toEqual(['429', '429', undefined]);
    expect([armed.struck, forOthers.struck]).toEqual([2, 0]);
  });

  it('swallows a message before the acknowledgement: nobody hears of it', async () => {
    relay.faults.messages({ kind: 'swallow-before-acknowledgement' });
    await write('SB');
    await write('SB-NEXT');
    await companion.acknowledged('SB-NEXT');
    await recipient.received('SB-NEXT');
    expect(companion.acknowledgements.all.map(({ id }) => id)).not.toContain('SB');
    expect(recipient.inbox.map(({ id }) => id)).not.toContain('SB');
    expect(outcome('SB')).toBe('swallowed-before-acknowledgement');
  });

  it('swallows a message after the acknowledgement: only the sender takes it for sent', async () => {
    relay.faults.messages({ kind: 'swallow-after-acknowledgement' });
    await write('SA');
    await companion.acknowledged('SA');
    await write('SA-NEXT');
    await recipient.received('SA-NEXT');
    expect(recipient.inbox.map(({ id }) => id)).not.toContain('SA');
  });

  it('loses an acknowledgement: the recipient has the message', async () => {
    relay.faults.messages({ kind: 'lose-acknowledgement' });
    await write('LA');
    await recipient.received('LA');
    await write('LA-NEXT');
    await companion.acknowledged('LA-NEXT');
    expect(companion.acknowledgements.all.map(({ id }) => id)).not.toContain('LA');
  });

  it('delays an acknowledgement: later messages overtake it', async () => {
    relay.faults.messages({ kind: 'delay-acknowledgement', delayMs: 200 });
    await write('DA');
    await write('DA-NEXT');
    await companion.acknowledged('DA');
    const order = companion.acknowledgements.all.map(({ id }) => id);
    expect(order.indexOf('DA')).toBeGreaterThan(order.indexOf('DA-NEXT'));
  });

  it('resets before it takes a message: the recipient has nothing', async () => {
    relay.faults.messages({ kind: 'reset-before-delivery' });
    await write('RB');
    expect((await companion.closed()).statusCode).toBe(connectionFault);
    expect(recipient.inbox.map(({ id }) => id)).not.toContain('RB');
  });

  it('resets in the middle of an acknowledgement: the recipient has the message', async () => {
    relay.faults.messages({ kind: 'reset-mid-acknowledgement' });
    await write('RM');
    await recipient.received('RM');
    expect((await companion.closed()).statusCode).toBe(connectionFault);
    expect(companion.acknowledgements.all.map(({ id }) => id)).not.toContain('RM');
  });

  it('refuses a usync query', async () => {
    relay.faults.queries('usync', { kind: 'refuse', error: 429, text: 'rate-overlimit' });
    await expect(companion.socket.onWhatsApp(other)).rejects.toMatchObject({ data: 429, message: 'rate-overlimit' });
    expect(await companion.socket.onWhatsApp(other)).toMatchObject([{ exists: true }]);
  });

  it('leaves a usync query without an answer', async () => {
    relay.faults.queries('usync', { kind: 'silence' });
    expect(await companion.socket.onWhatsApp(other)).toBeUndefined();
  });

  it('resets during a query', async () => {
    relay.faults.queries('usync', { kind: 'reset' });
    await expect(companion.socket.onWhatsApp(other)).rejects.toBeDefined();
    expect((await companion.closed()).statusCode).toBe(connectionFault);
  });
});
