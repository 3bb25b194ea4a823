import { waitUntil } from '@kurir/network/conformance';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Device, Online } from '../../../test/device-fixture.js';
import { SimulatorFixture } from '../../../test/simulator-fixture.js';

const SENT = { kind: 'sent' };
const NO_ANSWER = { kind: 'unknown', reason: 'no_answer' };

let simulator: SimulatorFixture;
let device: Device;
let online: Online;
let recipient: string;

beforeEach(async () => {
  simulator = await SimulatorFixture.start();
  device = await simulator.link();
  online = await simulator.connect(device);
  recipient = simulator.freshNumber();
});

afterEach(() => simulator.stop());

function inject(kind: string, rest: object = {}): Promise<unknown> {
  return simulator.askFor('POST', '/faults', { kind, ...rest });
}

function send(id: string = simulator.freshId(), to: string = recipient) {
  return online.session.send({ networkMessageId: id, recipient: to, content: { kind: 'text', text: 'Halo' } });
}

async function inbox(): Promise<unknown> {
  return simulator.askFor('GET', `/phones/${recipient}/inbox`);
}

describe('faults of messages', () => {
  test('ack_lost: the message is accepted and never acknowledged; its repeat is acknowledged and counted', async () => {
    await inject('ack_lost', { device_id: device.deviceId });
    const id = simulator.freshId();
    expect(await send(id)).toEqual(NO_ANSWER);
    expect(await inbox()).toMatchObject([{ network_message_id: id, copies: 0 }]);
    expect(await send(id)).toEqual(SENT);
    expect(await inbox()).toMatchObject([{ network_message_id: id, copies: 1 }]);
  });

  test('swallow: the message is neither accepted nor answered', async () => {
    await inject('swallow');
    expect(await send()).toEqual(NO_ANSWER);
    expect(await inbox()).toEqual([]);
  });

  test('ack_negative carries the reason that was asked for, and is in the journal', async () => {
    await inject('ack_negative', { reason: 'rate_limited_by_network', retry_after_ms: 700 });
    expect(await send()).toEqual({
      kind: 'not-sent',
      permanent: false,
      reason: 'rate_limited_by_network',
      retryAfterMs: 700,
    });
    expect(await simulator.askFor('GET', '/journal')).toMatchObject({
      entries: expect.arrayContaining([
        expect.objectContaining({ kind: 'refused', reason: 'rate_limited_by_network' }),
      ]),
    });
  });

  test('ack_late after a reconnect reaches the newer session', async () => {
    await inject('ack_late', { delay_ms: 1_200 });
    const id = simulator.freshId();
    expect(await send(id)).toEqual(NO_ANSWER);
    const second = await simulator.connect(device);
    await waitUntil('the newer session hears it', () => second.acknowledged.length === 1);
    expect(second.acknowledged).toEqual([id]);
    expect(online.acknowledged).toEqual([]);
  });
});

describe('matching', () => {
  test('a fault hits only its recipient, as often as count says', async () => {
    await inject('ack_negative', { recipient, permanent: true, count: 2 });
    expect(await send(undefined, simulator.freshNumber())).toEqual(SENT);
    expect(await send()).toMatchObject({ kind: 'not-sent' });
    expect(await simulator.askFor('GET', '/faults')).toMatchObject([{ kind: 'ack_negative', recipient, remaining: 1 }]);
    expect(await send()).toMatchObject({ kind: 'not-sent' });
    expect(await send()).toEqual(SENT);
    expect(await simulator.askFor('GET', '/faults')).toEqual([]);
  });

  test('a fault that is for another device, not due yet or cleared changes nothing', async () => {
    await inject('swallow', { device_id: 'dev_other' });
    await inject('swallow', { after_ms: 60_000 });
    await inject('logout', { device_id: device.deviceId, after_ms: 60_000 });
    expect(await send()).toEqual(SENT);
    expect(await simulator.askFor('DELETE', '/faults')).toEqual({ cleared: 3 });
    await inject('swallow');
    await simulator.askFor('DELETE', '/faults');
    expect(await send()).toEqual(SENT);
  });

  test('a fault of a device happens after after_ms', async () => {
    expect(await inject('restart', { after_ms: 30 })).toMatchObject({ kind: 'restart', remaining: 1 });
    await waitUntil('the session ended', () => online.ends.length === 1);
    expect(online.ends).toEqual([{ reason: 'restart_required', next: 'reconnect' }]);
  });
});

describe('faults of receipts', () => {
  test('receipt_lost: the next receipt never arrives, not even after a reconnect', async () => {
    await inject('receipt_lost', { recipient });
    await send();
    await waitUntil('the other receipt came', () => online.receipts.length === 1);
    expect(online.receipts).toMatchObject([{ status: 'read' }]);
    await online.session.close();
    const second = await simulator.connect(device);
    const marker = simulator.freshId();
    await second.session.send({ networkMessageId: marker, recipient, content: { kind: 'text', text: 'Halo' } });
    await waitUntil('later receipts came', () => second.receipts.length === 2);
    expect(second.receipts.every((receipt) => receipt.networkMessageId === marker)).toBe(true);
  });

  test('receipt_duplicate: the next receipt arrives twice', async () => {
    await inject('receipt_duplicate');
    await send();
    await waitUntil('all receipts came', () => online.receipts.length === 3);
    expect(online.receipts.map(({ status }) => status)).toEqual(['delivered', 'delivered', 'read']);
  });
});

describe('faults of devices', () => {
  test('conflict ends the session as replaced and leaves the link', async () => {
    expect(await inject('conflict', { device_id: device.deviceId })).toEqual({ devices: 1 });
    await waitUntil('the session ended', () => online.ends.length === 1);
    expect(online.ends).toEqual([{ reason: 'replaced', next: 'check-lease' }]);
    const second = await simulator.connect(device);
    expect(second.ends).toEqual([]);
  });

  test('restart without a device reaches every session', async () => {
    const other = await simulator.connect(await simulator.link());
    expect(await inject('restart')).toEqual({ devices: 2 });
    await waitUntil('both ended', () => online.ends.length === 1 && other.ends.length === 1);
  });

  test('refuse_login refuses the next login with its reason, and the one after it succeeds', async () => {
    await online.session.close();
    await inject('refuse_login', { reason: 'temporarily_banned', until_ms: 4_000_000_000_000 });
    const refused = await simulator.connect(device);
    const until = new Date(4_000_000_000_000);
    await waitUntil('it was refused', () => refused.ends.length === 1);
    expect(refused.ends).toEqual([{ reason: 'temporarily_banned', next: 'wait', until }]);
    expect((await simulator.connect(device)).ends).toEqual([]);
  });

  test('a ban holds for every device of the number, also for linking, until it is lifted', async () => {
    const companion = await simulator.connect(await simulator.link(device.number));
    await inject('ban', { device_id: device.deviceId });
    await waitUntil('both ended', () => online.ends.length === 1 && companion.ends.length === 1);
    expect(companion.ends).toEqual([{ reason: 'banned', next: 'banned' }]);
    await expect(simulator.link(device.number)).rejects.toThrow('409');
    expect(await inject('lift_ban', { device_id: device.deviceId })).toEqual({ devices: 1 });
    expect((await simulator.connect(device)).ends).toEqual([]);
  });
});
