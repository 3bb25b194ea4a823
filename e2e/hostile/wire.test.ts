/** Bytes that no HTTP client sends: smuggled requests, odd heads, and mutated rubbish. */
import { publicOperations } from '@kurir/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Stack, startStack } from '../src/stack/stack.js';
import { createRandom } from '../torture/plan/random.js';
import { many, send, statusesIn } from './attacks/connection.js';
import { mutateRequest } from './attacks/mutate-request.js';
import { smuggledRequests } from './attacks/smuggling.js';

const seed = process.env['KURIR_HOSTILE_SEED'] ?? '1';
const minutes = Number(process.env['KURIR_HOSTILE_MINUTES'] ?? 0);
const mutants = 600;
const mutantsAtOnce = 30;
const waitMs = 30_000;

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ workers: 0 });
});
afterAll(() => stack?.stop());

const answerTo = async (head: string | Buffer) => (await send(stack.baseUrl, { head, waitMs, untilAnswer: true })).text;

it('a request that hides another is refused in each form, and nobody serves the hidden one', async () => {
  const forms = Object.entries(smuggledRequests);
  const answers = await many(forms.length, async (i) => {
    const [name, head] = forms[i] ?? ['', ''];
    const { text } = await send(stack.baseUrl, { head, waitMs });
    return [name, statusesIn(text)] as const;
  });
  expect(Object.fromEntries(answers)).toEqual(Object.fromEntries(forms.map(([name]) => [name, [400]])));
});

describe('the head of a request', () => {
  const withHeaders = (count: number) =>
    `GET /health/live HTTP/1.1\r\nHost: x\r\n${Array.from({ length: count - 1 }, (_, i) => `X${i}: 1\r\n`).join('')}\r\n`;

  it.each([
    [100, 200],
    [101, 431],
    [2_000, 431],
  ])('with %d headers gets %d', async (count, status) => {
    expect(statusesIn(await answerTo(withHeaders(count)))).toEqual([status]);
  });

  it.each([
    ['no Host', '', 400],
    ['two equal ones', 'Host: 127.0.0.1\r\nHost: 127.0.0.1\r\n', 400],
    ['two different ones', 'Host: 127.0.0.1\r\nHost: evil.example\r\n', 400],
    ['another site', 'Host: evil.example\r\n', 421],
    ['another site behind ours', 'Host: 127.0.0.1.evil.example\r\n', 421],
    ['another site after a name', 'Host: 127.0.0.1@evil.example\r\n', 421],
    ['another site in X-Forwarded-Host only', 'Host: 127.0.0.1\r\nX-Forwarded-Host: evil.example\r\n', 200],
  ])('with %s as its host gets the pages only at our address', async (_, hosts, status) => {
    expect(statusesIn(await answerTo(`GET /app HTTP/1.1\r\n${hosts}\r\n`))).toEqual([status]);
  });

  it('may not ask for another site in its target', async () => {
    expect(statusesIn(await answerTo('GET http://evil.example/app HTTP/1.1\r\nHost: evil.example\r\n\r\n'))).toEqual([
      421,
    ]);
  });
});

it('mutated requests get a refusal or no answer, and the api lives on without an error', async () => {
  const random = createRandom(seed, 'mutants');
  const until = performance.now() + minutes * 60_000;
  let sent = 0;
  const failures: string[] = [];
  while (sent < mutants || performance.now() < until) {
    const requests = Array.from({ length: mutantsAtOnce }, () => mutateRequest(random));
    const texts = await many(mutantsAtOnce, async (i) => {
      // A request that is not complete waits for its rest.
      const ending = await send(stack.baseUrl, { head: requests[i] ?? '', waitMs: 150, untilAnswer: true });
      return ending.text;
    });
    for (const [i, text] of texts.entries())
      if (statusesIn(text).some((status) => status >= 500))
        failures.push(JSON.stringify(requests[i]?.toString('latin1')));
    sent += requests.length;
  }
  process.stdout.write(`mutated requests: ${sent}, seed ${seed}\n`);
  expect(failures).toEqual([]);
  expect((await fetch(`${stack.baseUrl}/health/live`)).status).toBe(200);
  expect(stack.api.logs().filter(({ level }) => Number(level) >= 50)).toEqual([]);
});

it('a caller who asks for a body first is told no before it sends one', async () => {
  const head = `POST ${publicOperations.sendBulk.path} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 8000000\r\n\r\n`;
  const { text, wasClosed } = await send(stack.baseUrl, { head, waitMs });
  expect(statusesIn(text).at(-1)).toBe(401);
  expect(wasClosed).toBe(true);
});
