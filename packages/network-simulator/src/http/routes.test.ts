import { waitUntil, writtenText } from '@kurir/network/conformance';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SimulatorFixture } from '../../test/simulator-fixture.js';

let simulator: SimulatorFixture;

beforeAll(async () => {
  simulator = await SimulatorFixture.start();
});

afterAll(() => simulator.stop());

describe('a request that fails is answered with a status and a JSON error', () => {
  const tooLarge = JSON.stringify({ code: 'x'.repeat(70_000) });
  test.each([
    ['GET', '/', undefined, 404, /there is no \/ here/],
    ['GET', '/phones/6281/inbox/more', undefined, 404, /there is no/],
    ['DELETE', '/phones', undefined, 405, /\/phones takes GET, POST/],
    ['POST', '/faults', '{"kind":', 422, /not JSON/],
    ['POST', '/faults', undefined, 422, /kind/],
    ['POST', '/faults', { kind: 'earthquake' }, 422, /kind/],
    ['POST', '/faults', { kind: 'ack_late' }, 422, /delay_ms/],
    ['POST', '/faults', { kind: 'swallow', recipients: '6281' }, 422, /recipients/],
    ['POST', '/faults', { kind: 'ban' }, 422, /device_id/],
    ['POST', '/phones/62811/scan', tooLarge, 413, /larger than/],
    ['POST', '/phones/62811000001/scan', { code: 'kurir-sim:nobody' }, 404, /no device shows this code/],
    ['POST', '/phones/62811000001/pair', { code: 'ABCD1234' }, 404, /no device shows this code/],
    ['POST', '/phones/62811110000/scan', { code: 'kurir-sim:nobody' }, 404, /not on the network/],
    ['POST', '/phones/62811000001/messages', { to: '62811000002', text: 'Halo' }, 404, /no device is linked/],
    ['GET', '/phones/0811/inbox', undefined, 422, /7 to 15 digits/],
    ['POST', '/phones', { numbers: ['+62811'] }, 422, /numbers\.0/],
    ['GET', '/journal?limit=0', undefined, 422, /limit/],
    ['GET', '/journal?after=x', undefined, 422, /after/],
  ])('%s %s', async (method, path, body, status, error) => {
    const reply = await simulator.ask(method, path, body);
    expect(reply).toEqual({ status, body: { error: expect.stringMatching(error) } });
  });
});

test('health answers live and ready', async () => {
  expect(await simulator.ask('GET', '/health/live')).toEqual({ status: 200, body: { status: 'live' } });
  expect(await simulator.ask('GET', '/health/ready')).toEqual({ status: 200, body: { status: 'ready' } });
});

test('a number ending in 0000 is on the network once it was added', async () => {
  const { session } = await simulator.connect(await simulator.link());
  const message = {
    networkMessageId: simulator.freshId(),
    recipient: '628115550000',
    content: { kind: 'text', text: 'Halo' },
  } as const;
  expect(await session.send(message)).toMatchObject({ kind: 'not-sent', permanent: true });
  const added = await simulator.ask('POST', '/phones', { numbers: [message.recipient] });
  expect(added).toEqual({ status: 201, body: { numbers: [message.recipient] } });
  expect(await session.send(message)).toEqual({ kind: 'sent' });
});

test('an inbox shows each message once and counts the repeats that were dropped', async () => {
  const device = await simulator.link();
  const { session } = await simulator.connect(device);
  const recipient = simulator.freshNumber();
  const [first, second] = [simulator.freshId(), simulator.freshId()];
  for (const id of [first, second, first, first]) {
    await session.send({ networkMessageId: id, recipient, content: { kind: 'text', text: `text of ${id}` } });
  }
  const shown = { from: device.number, received_at: expect.stringMatching(/^\d{4}-.*Z$/) };
  expect(await simulator.askFor('GET', `/phones/${recipient}/inbox`)).toEqual([
    { ...shown, network_message_id: first, text: `text of ${first}`, copies: 2 },
    { ...shown, network_message_id: second, text: `text of ${second}`, copies: 0 },
  ]);
  expect(await simulator.askFor('GET', `/phones/${recipient}/inbox?limit=1`)).toMatchObject([
    { network_message_id: second },
  ]);
});

test('typing shows who types now, until the message arrives, and the signals oldest first', async () => {
  const device = await simulator.link();
  const { session } = await simulator.connect(device);
  const recipient = simulator.freshNumber();
  const typing = () => simulator.askFor('GET', `/phones/${recipient}/typing`);
  expect(await typing()).toEqual({ typing_now: [], signals: [] });
  await session.typing(recipient, 'start');
  const started = { from: device.number, action: 'start', at: expect.stringMatching(/Z$/) };
  await waitUntil('the signal arrived', async () => JSON.stringify(await typing()).includes('start'));
  expect(await typing()).toEqual({ typing_now: [device.number], signals: [started] });
  await session.send({ networkMessageId: simulator.freshId(), recipient, content: { kind: 'text', text: 'Halo' } });
  expect(await typing()).toEqual({ typing_now: [], signals: [started] });
});

test('read marks show which messages of a phone were read, by which number, the newest 1,000', async () => {
  const device = await simulator.link();
  const { session } = await simulator.connect(device);
  const writer = simulator.freshNumber();
  const chat = { id: writer, type: 'direct' } as const;
  const marks = () => simulator.askFor('GET', `/phones/${writer}/read-marks`);
  expect(await marks()).toEqual([]);
  const ids = Array.from({ length: 1_200 }, (_, i) => `IN${i}`);
  for (let i = 0; i < ids.length; i += 400) {
    const part = ids.slice(i, i + 400).map((networkMessageId) => ({ networkMessageId, userId: writer }));
    await session.markRead?.(chat, part);
  }
  await waitUntil('the marks arrived', async () => JSON.stringify(await marks()).includes('IN1199'));
  const shown = ids.slice(200).map((id) => ({
    network_message_id: id,
    by: device.number,
    at: expect.stringMatching(/Z$/),
  }));
  expect(await marks()).toEqual(shown);
});

test('phones lists the numbers that were written to, with their devices and whether they are online', async () => {
  const device = await simulator.link();
  const { session } = await simulator.connect(device);
  const phones = () => simulator.askFor('GET', '/phones');
  const listed = (online: boolean) => ({
    number: device.number,
    messages: 0,
    devices: [{ device_id: device.deviceId, online }],
  });
  expect(await phones()).toContainEqual(listed(true));
  await session.close();
  await waitUntil('it is offline', async () => JSON.stringify(await phones()).includes(JSON.stringify(listed(false))));
});

test('a message to the number of a linked device reaches both the phone and the device', async () => {
  const [sender, receiver] = [await simulator.link(), await simulator.link()];
  const from = await simulator.connect(sender);
  const to = await simulator.connect(receiver);
  const id = simulator.freshId();
  await from.session.send({
    networkMessageId: id,
    recipient: receiver.number,
    content: { kind: 'text', text: 'Antar perangkat' },
  });
  await waitUntil('the other device heard of it', () => to.inbound.length === 1);
  expect(to.inbound[0]).toMatchObject({
    networkMessageId: id,
    person: { phone: sender.number },
    content: { text: 'Antar perangkat' },
  });
  expect(await simulator.askFor('GET', `/phones/${receiver.number}/inbox`)).toMatchObject([{ network_message_id: id }]);
});

test('texts arrive as they were sent, in order', async () => {
  const [sender, receiver] = [await simulator.link(), await simulator.link()];
  const from = await simulator.connect(sender);
  const to = await simulator.connect(receiver);
  const texts = ['a', 'é', '👋', 'a"\\\n', 'é'.repeat(5_000), 'z'];
  await Promise.all(
    texts.map((text, n) =>
      from.session.send({ networkMessageId: `S${n}`, recipient: receiver.number, content: { kind: 'text', text } }),
    ),
  );
  await waitUntil('the other device heard of all', () => to.inbound.length === texts.length);
  expect(to.inbound.map(writtenText)).toEqual(texts);
});

test('the journal lists accepted messages in order, with socket and epoch, and pages by device', async () => {
  const device = await simulator.link();
  const { session } = await simulator.connect(device, 7n);
  const recipient = simulator.freshNumber();
  const id = simulator.freshId();
  await session.send({ networkMessageId: id, recipient, content: { kind: 'text', text: 'satu' } });
  await session.send({ networkMessageId: id, recipient, content: { kind: 'text', text: 'satu' } });
  const page = (query: string) => simulator.askFor('GET', `/journal?device_id=${device.deviceId}${query}`);
  const taken = {
    n: expect.any(Number),
    at: expect.any(String),
    kind: 'message',
    device_id: device.deviceId,
    epoch: '7',
    socket: expect.any(Number),
    network_message_id: id,
    recipient,
    from: device.number,
    text: 'satu',
  };
  const { entries } = (await page('')) as { entries: { kind: string }[] };
  expect(entries.slice(0, 2)).toMatchObject([{ kind: 'link' }, { kind: 'login', epoch: '7' }]);
  expect(entries.filter(({ kind }) => kind === 'message')).toEqual([
    { ...taken, repeat: false },
    { ...taken, repeat: true },
  ]);
  const first = await page('&limit=1');
  expect(first).toMatchObject({ entries: [{ kind: 'link' }] });
  const { next_after } = first as { next_after: number };
  expect(await page(`&limit=1&after=${next_after}`)).toMatchObject({ entries: [{ kind: 'login' }] });
});
