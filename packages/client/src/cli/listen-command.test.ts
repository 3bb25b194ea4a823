import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DataOf } from '@kurir/contracts';
import { makeWebhookSecret } from '@kurir/signing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fakeClock } from '../../test/clock-fixture.js';
import { exampleEvent, type Gateway, refusal, startGateway } from '../../test/gateway-fixture.js';
import { environmentFor, type Ran, runHere } from '../../test/kurir-fixture.js';
import { verifyWebhook } from '../webhooks/verify-webhook.js';

const secret = makeWebhookSecret();
type Got = { id: string; headers: IncomingMessage['headers']; body: string };

let clock = fakeClock(Date.now());
let gateway: Gateway;
let program: Server;
let port = 0;
let got: Got[] = [];
/** The program gives these answers, in order, and then 200. */
let answers: ((response: ServerResponse) => void)[] = [];

async function startProgram(at = 0): Promise<void> {
  program = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      got.push({ id: String(request.headers['webhook-id']), headers: request.headers, body });
      (answers.shift() ?? ((answer) => void answer.end()))(response);
    });
  });
  program.listen(at, '127.0.0.1');
  await once(program, 'listening');
  // A server on a port has an AddressInfo. Only a pipe has a string.
  port = (program.address() as AddressInfo).port;
}

async function stopProgram(): Promise<void> {
  program.closeAllConnections();
  if (!program.listening) return;
  program.close();
  await once(program, 'close');
}

beforeEach(async () => {
  clock = fakeClock(Date.now());
  got = [];
  answers = [];
  gateway = await startGateway(clock.now);
  await startProgram();
});
afterEach(async () => {
  await gateway.close();
  await stopProgram();
});

type Page = DataOf<'listEvents'>;
const page = (sequences: readonly number[], next: string): Page => ({
  events: sequences.map((sequence) => exampleEvent({ sequence, id: `evt_${sequence}` })),
  next_cursor: next,
  has_more: false,
});

let stop = (): void => {};

/** The gateway gives these pages, by their cursors. When it is asked for a later one, a person ends the command. */
function feed(...pages: Page[]): void {
  gateway.answer({
    listEvents: ({ target }) => {
      const after = new URL(target, gateway.baseUrl).searchParams.get('after');
      const known = ['x', ...pages.map(({ next_cursor: next }) => next)].indexOf(after ?? '');
      const next = pages[known];
      if (next === undefined) stop();
      return next ?? page([], 'end');
    },
  });
}

const listen = (args: readonly string[] = [], more: Parameters<typeof runHere>[2] = {}): Promise<Ran> =>
  runHere(
    ['listen', '--forward-to', `http://127.0.0.1:${port}/hook`, '--after', 'x', ...args],
    { ...environmentFor(gateway.baseUrl), KURIR_WEBHOOK_SECRET: secret },
    { clock, onInterrupt: (end) => (stop = end), ...more },
  );

const ids = () => got.map(({ id }) => id);
const withStatus =
  (status: number, headers = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, headers).end();

it('sends each event once, in order, with the body and the signature of a webhook', async () => {
  feed(page([1, 2], 'a'), page([], 'b'), page([3], 'c'));
  const { code, stdout } = await listen();
  expect(code).toBe(0);
  expect(ids()).toEqual(['evt_1', 'evt_2', 'evt_3']);
  for (const { headers, body, id } of got) expect(verifyWebhook(secret, headers, body).id).toBe(id);
  expect(JSON.parse(got[0]?.body ?? '')).toEqual(page([1], '').events[0]);
  expect(stdout.split('\n')[0]).toMatch(/^\S+ \S+ {2}message\.delivered {6}evt_1 {2}200 in \d+ ms$/);
});

it('makes a secret and shows it once, if none is set', async () => {
  feed(page([1], 'a'));
  const { stdout } = await listen([], { environment: environmentFor(gateway.baseUrl) });
  const [made = '', ...rest] = stdout.match(/whsec_\S+/g) ?? [];
  expect(rest).toEqual([]);
  expect(verifyWebhook(made, got[0]?.headers ?? {}, got[0]?.body ?? '').id).toBe('evt_1');
  feed(page([1], 'a'));
  const json = await listen(['--json'], { environment: environmentFor(gateway.baseUrl) });
  expect(JSON.parse(json.stdout.split('\n')[0] ?? '')).toEqual({ secret: expect.stringMatching(/^whsec_/) });
});

it('tries a refused event again before the next one, with a new time and the same id', async () => {
  feed(page([1, 2], 'a'));
  answers = [withStatus(500), withStatus(302, { location: '/elsewhere' }), (response) => void response.destroy()];
  const { stdout } = await listen();
  expect(ids()).toEqual(['evt_1', 'evt_1', 'evt_1', 'evt_1', 'evt_2']);
  expect(clock.slept).toEqual([1000, 2000, 4000]);
  expect(new Set(got.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(4);
  expect(stdout).toContain('500 in');
  expect(stdout).toContain('again in 1 s');
});

it('gives an event up after five refusals, says so, and goes on', async () => {
  feed(page([1, 2], 'a'));
  answers = Array.from({ length: 5 }, () => withStatus(500));
  const { stdout } = await listen(['--json']);
  expect(ids()).toEqual([...Array.from({ length: 5 }, () => 'evt_1'), 'evt_2']);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ outcome }) => outcome)).toEqual([
    ...Array.from({ length: 4 }, () => 'retried'),
    'given_up',
    'taken',
  ]);
  expect(lines[4]).toEqual({
    event_id: 'evt_1',
    type: 'message.delivered',
    try: 5,
    outcome: 'given_up',
    status: 500,
    reason: null,
    milliseconds: expect.any(Number),
    next_try_in_milliseconds: null,
  });
});

it('waits as long as the program is down, and then goes on with the same event', async () => {
  feed(page([1, 2], 'a'));
  await stopProgram();
  let waits = 0;
  const waiting = {
    ...clock,
    async sleep(ms: number, signal?: AbortSignal) {
      await clock.sleep(ms, signal);
      if (++waits === 12) await startProgram(port);
    },
  };
  const { stdout } = await listen([], { clock: waiting });
  expect(ids()).toEqual(['evt_1', 'evt_2']);
  expect(clock.slept).toHaveLength(12);
  expect(Math.max(...clock.slept)).toBe(5000);
  expect(stdout).toContain('ECONNREFUSED');
});

it('goes on at its cursor when the gateway was away', async () => {
  feed(page([1], 'a'), page([2], 'b'));
  gateway.fail('lost-before-acceptance', refusal('SERVICE_UNAVAILABLE'), 'lost-after-acceptance');
  await listen();
  expect(ids()).toEqual(['evt_1', 'evt_2']);
  expect(gateway.received.length).toBe(6);
});

it('ends with 1 and the sentence of the gateway when the gateway refuses for good', async () => {
  feed(page([1], 'a'));
  gateway.fail(refusal('CURSOR_EXPIRED', 'Begin with earliest.'));
  const { code, stderr } = await listen();
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('Begin with earliest.') });
  expect(ids()).toEqual([]);
});

it('without --types leaves out what a webhook leaves out, and with it sends what it names', async () => {
  const accepted = exampleEvent({ sequence: 1, id: 'evt_1', type: 'message.accepted' });
  const both: Page = { ...page([2], 'a'), events: [accepted, ...page([2], 'a').events] };
  feed(both);
  await listen();
  expect(ids()).toEqual(['evt_2']);
  feed(both);
  await listen(['--types', 'message.accepted,message.delivered']);
  expect(ids()).toEqual(['evt_2', 'evt_1', 'evt_2']);
  expect(gateway.received.at(-2)?.target).toContain('types=message.accepted%2Cmessage.delivered');
});

it('ends with 0 when a person ends it, while it waits for events or for the program', async () => {
  gateway.answer({ listEvents: () => page([1], 'a') });
  for (const answer of [withStatus(200), () => undefined]) {
    answers = [answer];
    got = [];
    const ended = listen();
    await expect.poll(() => got.length).toBeGreaterThan(0);
    stop();
    const { code, stderr } = await ended;
    expect(code).toBe(0);
    expect(stderr).toMatch(/Events taken: \d+\. Given up: 0\.\nTo continue from here, add --after \w+/);
  }
});

it.each(['', 'localhost:8000', 'ftp://localhost/x', '/hook', 'http://user:word@localhost/'])(
  'refuses the address %j',
  async (address) => {
    const { code, stderr } = await runHere(['listen', '--forward-to', address], environmentFor(gateway.baseUrl));
    expect({ code, sentence: stderr.includes('Give the address') }).toEqual({ code: 2, sentence: true });
    expect(gateway.received).toEqual([]);
  },
);

it('refuses an unusable secret before it asks for events, and does not show it', async () => {
  const environment = { ...environmentFor(gateway.baseUrl), KURIR_WEBHOOK_SECRET: 'whsec_short' };
  const { code, stderr } = await listen([], { environment });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('KURIR_WEBHOOK_SECRET') });
  expect(stderr).not.toContain('whsec_short');
  expect(gateway.received).toEqual([]);
});
