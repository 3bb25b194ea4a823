/** Bots that were written for a peer, beside `kurir bridge` and a gateway. */
import { request as httpRequest, type RequestOptions } from 'node:http';
import { type Bot, startCloudEchoBot, startEvolutionEchoBot, startWahaEchoBot } from '@kurir/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { exampleConversation, exampleEvent, type Gateway, refusal, startGateway } from '../../test/gateway-fixture.js';
import { environmentFor, type Ran, runHere } from '../../test/kurir-fixture.js';
import { startFeed, receivedEvent, type TestFeed } from '../../test/feed-fixture.js';

const key = 'bot-key';
const secret = 'bot-secret';

let gateway: Gateway;
let feed: TestFeed;
let bot: Bot | null = null;
let bridge: { url: string; stop: () => void; ended: Promise<Ran> } | null = null;

beforeEach(async () => {
  gateway = await startGateway();
  feed = startFeed(gateway);
});

async function endBridge(): Promise<void> {
  bridge?.stop();
  await bridge?.ended;
  bridge = null;
}

afterEach(async () => {
  await endBridge();
  feed.end();
  await bot?.close();
  bot = null;
  await gateway.close();
});

type Environment = Parameters<typeof runHere>[1];
const environment = (more: Environment = {}) => ({
  ...environmentFor(gateway.baseUrl),
  KURIR_BRIDGE_KEY: key,
  KURIR_BRIDGE_SECRET: secret,
  ...more,
});

/** Resolves when the bridge takes calls. */
async function startBridge(peer: string, args: readonly string[] = [], more: Environment = {}): Promise<string> {
  let stop = (): void => {};
  let said = '';
  const ended = runHere(
    ['bridge', '--as', peer, '--forward-to', bot?.url ?? 'http://127.0.0.1:1/', '--port', '0', '--after', 'x', ...args],
    environment(more),
    { onInterrupt: (end) => (stop = end), stderr: { write: (text: string) => (said += text) } },
  );
  const url = await vi.waitFor(
    () => {
      const [, found] = /(http:\/\/\S+?),/.exec(said) ?? [];
      if (found === undefined) throw new Error(said);
      return found;
    },
    { timeout: 60_000 },
  );
  bridge = { url, stop: () => stop(), ended };
  return url;
}

const settings = () => ({ apiUrl: () => bridge?.url ?? '', apiKey: key, secret });
const bodies = (end: string) =>
  gateway.accepted.filter(({ target }) => target.endsWith(end)).map(({ body }): unknown => JSON.parse(body || '{}'));
const seenBy = (count: number) =>
  vi.waitFor(
    () => {
      if ((bot?.seen.length ?? 0) < count) throw new Error(JSON.stringify(bot?.seen));
      return bot?.seen;
    },
    { timeout: 60_000 },
  );

const bots = [
  {
    peer: 'waha',
    start: startWahaEchoBot,
    ids: ['false_6281234567890@c.us_inb_1', 'true_6281234567890@c.us_msg_1'],
    ack: 'DEVICE',
    types: true,
  },
  { peer: 'evolution', start: startEvolutionEchoBot, ids: ['inb_1', 'msg_1'], ack: 'DELIVERY_ACK', types: true },
  { peer: 'cloud', start: startCloudEchoBot, ids: ['wamid.inb_1', 'wamid.msg_1'], ack: 'delivered', types: false },
] as const;

describe.each(bots)('an echo bot for $peer', ({ peer, start, ids: [inbound, sent], ack, types }) => {
  it('answers a message, and hears that its answer arrived', async () => {
    bot = await start(settings());
    await startBridge(peer);
    feed.push(receivedEvent({ text: 'Halo é 🚀' }));
    await seenBy(2);
    feed.push(exampleEvent({ sequence: 4, type: 'message.delivered' }));
    expect(await seenBy(3)).toEqual([`message ${inbound} Halo é 🚀`, `sent ${sent}`, `ack ${sent} ${ack}`]);
    expect(bodies('/messages/send')).toEqual([
      { phone_destination: '6281234567890', message: 'Halo é 🚀', reply_to: 'inb_1', client_ref: expect.any(String) },
    ]);
    expect(gateway.accepted.map(({ target }) => target)).toContain('/api/v1/conversations/cnv_1/read');
    expect(bodies('/chat-presence')).toHaveLength(types ? (peer === 'waha' ? 2 : 1) : 0);
  });

  it('answers people whose number is hidden, and groups', async () => {
    bot = await start(settings());
    await startBridge(peer);
    feed.push(receivedEvent({ from: { phone: null } }));
    await seenBy(2);
    feed.push(receivedEvent({ chat: { id: 'cnv_2', type: 'group' } }));
    await seenBy(4);
    expect(bodies('/messages/send')).toMatchObject([{ conversation_id: 'cnv_1' }, { conversation_id: 'cnv_2' }]);
    if (types) expect(bodies('/chat-presence')[0]).toEqual({ action: 'start', conversation_id: 'cnv_1' });
  });
});

describe('a person whose number is hidden, after a restart', () => {
  const toHidden = () => {
    const { data, ...event } = exampleEvent({ sequence: 4, type: 'message.delivered' });
    return { ...event, data: { ...data, phone_destination: 'lid:1' } };
  };

  it.each(bots)('is the same chat for $peer', async ({ peer, start, ids, ack }) => {
    bot = await start(settings());
    await startBridge(peer);
    feed.push(toHidden());
    const own = peer === 'waha' ? 'true_cnv_1@lid_msg_1' : ids[1];
    expect(await seenBy(1)).toEqual([`ack ${own} ${ack}`]);
  });

  it.each(['1@lid', '1:7@lid', 'lid:1'])('gets what the bot sends to %s', async (chatId) => {
    const url = await startBridge('waha');
    for (const path of ['/api/sendText', '/api/startTyping', '/api/sendSeen'])
      expect((await raw(url + path, { headers: json }, JSON.stringify({ chatId, text: 'Halo' }))).status).toBe(201);
    expect(bodies('/messages/send')).toMatchObject([{ conversation_id: 'cnv_1' }]);
    expect(bodies('/chat-presence')).toMatchObject([{ conversation_id: 'cnv_1' }]);
    expect(gateway.accepted.map(({ target }) => target)).toContain('/api/v1/conversations/cnv_1/read');
    expect(gateway.accepted.filter(({ operation }) => operation === 'listConversations')).toHaveLength(1);
  });

  it('is found on a later page, and is looked for once', async () => {
    gateway.answer({
      listConversations: ({ target }) =>
        target.includes('cursor=')
          ? { conversations: [exampleConversation({ conversation_id: 'cnv_9', user_id: 'lid:9' })], next_cursor: null }
          : { conversations: [exampleConversation()], next_cursor: 'more' },
    });
    const url = await startBridge('waha');
    const send = (chatId: string) =>
      raw(`${url}/api/sendText`, { headers: json }, JSON.stringify({ chatId, text: 'Halo' }));
    expect((await send('9@lid')).status).toBe(201);
    const nobody = await send('123@lid');
    expect([nobody.status, JSON.parse(nobody.text)]).toMatchObject([404, { error: 'CONVERSATION_NOT_FOUND' }]);
    expect((await send('123@lid')).status).toBe(404);
    expect(bodies('/messages/send')).toMatchObject([{ conversation_id: 'cnv_9' }]);
    expect(gateway.accepted.filter(({ operation }) => operation === 'listConversations')).toHaveLength(4);
  });

  it('has its id if the key may read no conversations', async () => {
    bot = await startWahaEchoBot(settings());
    await startBridge('waha');
    await expect.poll(() => gateway.received.at(-1)?.target).toContain('/events');
    gateway.fail(refusal('KEY_NOT_ALLOWED'));
    feed.push(toHidden());
    expect(await seenBy(1)).toEqual(['ack true_1@lid_msg_1 DEVICE']);
  });
});

type Answered = { status: number; text: string };

/** Sends exactly these headers, which `fetch` would not do. */
function raw(url: string, options: RequestOptions, body: string): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method: 'POST', ...options }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const json = { 'content-type': 'application/json', 'x-api-key': key };
const sendOne = JSON.stringify({ session: 'default', chatId: '6281234567890@c.us', text: 'Halo' });

it('lets a bot type in a group, although the gateway refuses it', async () => {
  const url = await startBridge('waha');
  await expect.poll(() => gateway.received.at(-1)?.target).toContain('/events');
  gateway.fail(refusal('INVALID_REQUEST', 'conversation_id: is a group.'));
  const body = JSON.stringify({ session: 'default', chatId: 'cnv_2@g.us' });
  expect(await raw(`${url}/api/startTyping`, { headers: json }, body)).toMatchObject({ status: 201 });
});

describe('the door of the bridge', () => {
  it.each([
    [{ ...json, host: 'evil.example:3001' }, 403],
    [{ ...json, host: '10.0.0.5:3001' }, 403],
    [{ ...json, origin: 'http://localhost:3000' }, 403],
    [{ ...json, 'sec-fetch-site': 'same-origin' }, 403],
    [{ ...json, 'x-api-key': 'other' }, 401],
    [{ 'content-type': 'application/json' }, 401],
    [{ ...json, 'content-type': 'text/plain' }, 415],
    [{ 'x-api-key': key }, 415],
  ])('refuses a call with %j', async (headers, status) => {
    const url = await startBridge('waha');
    const answered = await raw(`${url}/api/sendText`, { headers }, sendOne);
    expect(answered.status).toBe(status);
    expect(JSON.parse(answered.text)).toMatchObject({ statusCode: status, message: expect.stringMatching(/\.$/) });
    expect(bodies('/messages/send')).toEqual([]);
  });

  it.each([
    ['/api/sendText', 'POST', '{', 400],
    ['/api/sendText', 'POST', '[]', 400],
    ['/api/sendText', 'POST', '{"chatId":"6281234567890@c.us"}', 400],
    ['/api/sendText', 'POST', '{"chatId":"6281234567890@c.us","text":7}', 400],
    ['/api/sendText', 'POST', '{"chatId":"../account","text":"Halo"}', 400],
    ['/api/sendText', 'POST', '{"session":"other","chatId":"6281234567890@c.us","text":"Halo"}', 404],
    ['/api/sendText', 'POST', JSON.stringify({ chatId: '62811', text: 'x'.repeat(300_000) }), 413],
    ['/api/sendText', 'GET', '', 405],
    ['/api/sendImage', 'POST', sendOne, 404],
    ['/', 'POST', sendOne, 404],
    ['/api/sendSeen', 'POST', '{"chatId":"6281234567890@c.us"}', 404],
  ])('answers %s %s %.60s with %i', async (path, method, body, status) => {
    const url = await startBridge('waha');
    expect(await raw(url + path, { method, headers: json }, body)).toMatchObject({ status });
    expect(gateway.accepted.filter(({ operation }) => operation !== 'listEvents')).toEqual([]);
  });

  it('gives the refusal of the gateway in the form of the peer', async () => {
    for (const [peer, path, body, headers, form] of [
      ['waha', '/api/sendText', sendOne, json, { statusCode: 422, error: 'INVALID_PHONE_NUMBER' }],
      [
        'evolution',
        '/message/sendText/default',
        '{"number":"62811234567","text":"x"}',
        { ...json, apikey: key },
        { status: 422 },
      ],
      [
        'cloud',
        '/v23.0/100000000000000/messages',
        '{"to":"62811234567","text":{"body":"x"}}',
        { ...json, authorization: `Bearer ${key}` },
        { error: { type: 'OAuthException' } },
      ],
    ] as const) {
      const url = await startBridge(peer);
      await expect.poll(() => gateway.received.at(-1)?.target).toContain('/events');
      gateway.fail(refusal('INVALID_PHONE_NUMBER', 'Give the number with its country code.'));
      const { status, text } = await raw(url + path, { headers }, body);
      expect([peer, status]).toEqual([peer, 422]);
      expect(JSON.parse(text)).toMatchObject(form);
      expect(text).toContain('Give the number with its country code.');
      await endBridge();
    }
  });

  it('passes an Idempotency-Key on, so that a repeat is no second message', async () => {
    const url = await startBridge('waha');
    await raw(`${url}/api/sendText`, { headers: { ...json, 'idempotency-key': 'order-1' } }, sendOne);
    expect(bodies('/messages/send')).toMatchObject([{ client_ref: 'order-1' }]);
  });

  it('without KURIR_BRIDGE_KEY takes any key', async () => {
    const url = await startBridge('waha', [], { KURIR_BRIDGE_KEY: '' });
    const { status } = await raw(`${url}/api/sendText`, { headers: { ...json, 'x-api-key': 'any' } }, sendOne);
    expect(status).toBe(201);
  });

  it('opens to other machines only with a flag and a key', async () => {
    const args = ['bridge', '--as', 'waha', '--forward-to', 'http://127.0.0.1:1/', '--port', '0', '--host', '0.0.0.0'];
    const run = (more: readonly string[], settings: Environment) => runHere([...args, ...more], environment(settings));
    expect(await run([], {})).toMatchObject({ code: 2, stderr: expect.stringContaining('--allow-network') });
    const keyless = await run(['--allow-network'], { KURIR_BRIDGE_KEY: '' });
    expect(keyless).toMatchObject({ code: 2, stderr: expect.stringContaining('KURIR_BRIDGE_KEY') });
    const url = await startBridge('waha', ['--host', '0.0.0.0', '--allow-network']);
    const { port } = new URL(url);
    const headers = { ...json, host: 'bot-host:80' };
    expect(await raw(`http://127.0.0.1:${port}/api/sendText`, { headers }, sendOne)).toMatchObject({ status: 201 });
  });

  it('says what to do when the port is taken, and when no device is chosen', async () => {
    const { port } = new URL(await startBridge('waha'));
    const args = ['bridge', '--as', 'waha', '--forward-to', 'http://127.0.0.1:1/', '--port', port];
    expect(await runHere(args, environment())).toMatchObject({ code: 2, stderr: expect.stringContaining('--port') });
    const deviceless = await runHere(args, environment({ KURIR_DEVICE_ID: '' }));
    expect(deviceless).toMatchObject({ code: 2, stderr: expect.stringContaining('KURIR_DEVICE_ID') });
  });

  it('with --json prints its address first, and then a line for each try', async () => {
    bot = await startCloudEchoBot(settings());
    let printed = '';
    const args = ['bridge', '--as', 'cloud', '--forward-to', bot.url, '--port', '0', '--after', 'x', '--json'];
    let stop = (): void => {};
    const ended = runHere(args, environment(), {
      onInterrupt: (end) => (stop = end),
      stdout: { write: (text: string) => (printed += text) },
    });
    feed.push(exampleEvent({ sequence: 3, type: 'message.sent' }));
    await vi.waitFor(() => expect(printed.trimEnd().split('\n')).toHaveLength(2), { timeout: 60_000 });
    stop();
    expect((await ended).code).toBe(0);
    const [first, second]: unknown[] = printed
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(first).toEqual({ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), name: '100000000000000' });
    expect(second).toMatchObject({ type: 'message.sent', outcome: 'taken', status: 200 });
  });

  it('finishes the calls in flight before it ends', async () => {
    let finish = (): void => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    gateway.answer({ sendMessage: () => finished.then(() => ({ job_id: 'msg_1' })) });
    const url = await startBridge('waha');
    const answered = raw(`${url}/api/sendText`, { headers: json }, sendOne);
    await expect.poll(() => gateway.received.at(-1)?.operation).toBe('sendMessage');
    bridge?.stop();
    await expect.poll(() => fetch(url).catch(() => null)).toBeNull();
    finish();
    expect(await answered).toMatchObject({ status: 201 });
    expect((await bridge?.ended)?.code).toBe(0);
  });

  it('ends with 0, closes its port, and says how to continue', async () => {
    const url = await startBridge('waha');
    feed.push(receivedEvent());
    const ended = bridge?.ended;
    await expect.poll(() => gateway.received.at(-1)?.target).toContain('/events');
    bridge?.stop();
    expect((await ended)?.code).toBe(0);
    await expect(fetch(url)).rejects.toThrow();
  });
});
