import type { DataOf } from '@kurir/contracts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fakeClock } from '../../test/clock-fixture.js';
import { apiKey, apiSecret, exampleEvent, type Gateway, refusal, startGateway } from '../../test/gateway-fixture.js';
import { createClient } from './client.js';
import type { EventsInput } from './follow-events.js';

let clock = fakeClock();
let gateway: Gateway;

beforeEach(async () => {
  clock = fakeClock();
  gateway = await startGateway(clock.now);
});
afterEach(() => gateway.close());

const follow = (input?: EventsInput) =>
  createClient({ baseUrl: gateway.baseUrl, apiKey, apiSecret, maxRetries: 0, clock, random: () => 0 }).events(input);

const page = (sequences: readonly number[], next: string): DataOf<'listEvents'> => ({
  events: sequences.map((sequence) => exampleEvent({ sequence })),
  next_cursor: next,
  has_more: false,
});

/** The gateway gives these pages, then empty ones. */
function answer(...pages: DataOf<'listEvents'>[]): void {
  gateway.answer({ listEvents: () => pages.shift() ?? page([], 'end') });
}

const queries = () => gateway.received.map(({ target }) => new URL(target, 'http://gateway').searchParams);
const cursors = () => queries().map((query) => query.get('after'));

async function take(feed: AsyncIterable<{ sequence: number }>, count: number): Promise<number[]> {
  const seen: number[] = [];
  for await (const { sequence } of feed) if (seen.push(sequence) === count) break;
  return seen;
}

it('continues each page at the cursor of the one before', async () => {
  answer(page([1, 2], 'a'), page([], 'b'), page([3], 'c'));
  const feed = follow({ after: 'earliest', types: ['message.sent', 'message.failed'] });
  expect(await take(feed, 3)).toEqual([1, 2, 3]);
  expect(cursors()).toEqual(['earliest', 'a', 'b']);
  expect(queries()[0]?.get('types')).toBe('message.sent,message.failed');
  expect(queries()[0]?.get('wait')).toBe('25');
  // The caller ended within the page of the third event, so that page counts as not handled.
  expect(feed.cursor).toBe('b');
});

it('asks where now is before it waits, so that an outage during the first wait loses nothing', async () => {
  gateway.answer({ listEvents: ({ target }) => (target.includes('after=now') ? page([1], 'a') : page([], 'now')) });
  const feed = follow();
  expect(await take(feed, 1)).toEqual([1]);
  expect(queries()[0]?.get('wait')).toBe('0');
  expect(cursors()).toEqual([null, 'now']);
});

it('asks again with the same cursor, later and later, while the gateway is away', async () => {
  answer(page([1], 'a'), page([2], 'b'));
  const feed = follow({ after: 'x' });
  gateway.fail('lost-before-acceptance', refusal('SERVICE_UNAVAILABLE'), 'lost-before-acceptance');
  expect(await take(feed, 2)).toEqual([1, 2]);
  expect(cursors()).toEqual(['x', 'x', 'x', 'x', 'a']);
  expect(clock.slept).toEqual([500, 1_000, 2_000]);
});

it('ends with the refusal, if the cursor has expired', async () => {
  gateway.fail(refusal('CURSOR_EXPIRED'));
  await expect(take(follow({ after: 'x' }), 1)).rejects.toMatchObject({ code: 'CURSOR_EXPIRED', status: 410 });
});

it('ends without an error when its signal is aborted', async () => {
  const abort = new AbortController();
  answer(page([1], 'a'));
  const seen: number[] = [];
  for await (const { sequence } of follow({ after: 'x', signal: abort.signal })) {
    seen.push(sequence);
    abort.abort();
  }
  expect(seen).toEqual([1]);
});
