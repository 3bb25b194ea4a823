import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRecipient, createRelay, type Phone, type Recipient, type Relay } from '../index.js';
import { type Companion, linkCompanion } from '../../test/companion.js';

const sender = '4915100000001';
const friend = '4915100000002';
const stranger = '4915100000003';
const endsAt = new Date(Math.floor(Date.now() / 1000) * 1000 + 3_600_000);

describe('account limits', () => {
  let relay: Relay;
  let phone: Phone;
  let companion: Companion;
  let recipients: Recipient[];

  beforeAll(async () => {
    relay = await createRelay();
    phone = await relay.createPhone(sender);
    companion = await linkCompanion(relay, phone);
    recipients = await Promise.all([createRecipient(relay, friend), createRecipient(relay, stranger)]);
    await companion.send(friend, 'hello', 'FRIEND');
  });

  afterAll(async () => {
    await companion.close();
    await Promise.all(recipients.map((recipient) => recipient.close()));
    await relay.close();
  });

  it('reports no limits at first', async () => {
    expect(await companion.socket.fetchAccountReachoutTimelock()).toMatchObject({ isActive: false });
    expect(await companion.socket.fetchNewChatMessageCap()).toMatchObject({ capping_status: 'NONE' });
  });

  it('refuses messages to strangers while the reach-out timelock holds', async () => {
    phone.setReachoutTimelock({ endsAt, enforcementType: 'DEFAULT' });
    await companion.states.when(({ reachoutTimeLock }) => reachoutTimeLock?.isActive === true);
    expect(await companion.socket.fetchAccountReachoutTimelock()).toEqual({
      isActive: true,
      timeEnforcementEnds: endsAt,
      enforcementType: 'DEFAULT',
    });
    expect((await companion.send(stranger, 'hello', 'S1')).error).toBe('463');
    expect((await companion.send(friend, 'still', 'F1')).error).toBeUndefined();
  });

  it('accepts an answer to a stranger who wrote first, and tells the companion when the timelock ends', async () => {
    phone.setReachoutTimelock({ endsAt, enforcementType: 'DEFAULT' });
    await recipients[1]?.send(sender, 'I am the one who asks');
    expect((await companion.send(stranger, 'an answer', 'S2')).error).toBeUndefined();
    phone.setReachoutTimelock(null);
    await companion.states.when(({ reachoutTimeLock }) => reachoutTimeLock?.isActive === false);
  });

  it('counts new chats', async () => {
    await relay.createPhone('4915100000004');
    const updated = new Promise<unknown>((resolve) => companion.socket.ev.on('message-capping.update', resolve));
    phone.setNewChatCap({ totalQuota: 30, usedQuota: 28, status: 'FIRST_WARNING', cycleEndsAt: endsAt });
    expect(await updated).toMatchObject({ total_quota: 30, used_quota: 28, capping_status: 'FIRST_WARNING' });
    await companion.send('4915100000004', 'new', 'N1');
    await companion.send('4915100000004', 'not new', 'N2');
    expect(await companion.socket.fetchNewChatMessageCap()).toMatchObject({ used_quota: 29 });
  });
});
