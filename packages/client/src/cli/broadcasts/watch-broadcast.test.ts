import type { DataOf } from '@kurir/contracts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { exampleBroadcast, exampleCounted } from '../../../test/broadcast-examples.js';
import { fakeClock } from '../../../test/clock-fixture.js';
import { type Gateway, refusal, startGateway } from '../../../test/gateway-fixture.js';
import { environmentFor, runHere } from '../../../test/kurir-fixture.js';

type Counted = DataOf<'getBroadcast'>;
type Broadcast = Counted['broadcast'];

let clock = fakeClock();
let gateway: Gateway;
let stop = (): void => {};

beforeEach(async () => {
  clock = fakeClock();
  gateway = await startGateway(clock.now);
});
afterEach(() => gateway.close());

const kurir = (...args: string[]) =>
  runHere(['broadcast', ...args], environmentFor(gateway.baseUrl), { clock, onInterrupt: (end) => (stop = end) });

/** At a terminal, with all that is written to it. */
async function onTerminal(...args: string[]) {
  let stderr = '';
  const output = { isTTY: true, write: (text: string) => (stderr += text) };
  const ran = await runHere(['broadcast', ...args], environmentFor(gateway.baseUrl), {
    clock,
    stderr: output,
    onInterrupt: (end) => (stop = end),
  });
  return { ...ran, stderr };
}

const at = (
  state: Broadcast['state'],
  messages: Counted['counts']['messages'],
  more: Partial<Broadcast> = {},
): Counted =>
  exampleCounted({
    broadcast: exampleBroadcast({ state, recipients: 4, started_at: '2026-11-21T09:00:00.000Z', ...more }),
    counts: {
      pending: 3 - Object.values(messages).reduce((sum, count) => sum + count, 0),
      skipped: [{ reason: 'invalid_number', count: 1 }],
      messages,
      failed: messages.failed === undefined ? [] : [{ reason: 'recipient_not_on_network', count: messages.failed }],
    },
    ends_about: state === 'running' ? '2026-11-21T09:05:00.000Z' : null,
  });

/** The gateway shows these, one after the other. After them, a person ends the command. */
function shows(...seen: Counted[]): void {
  gateway.answer({
    getBroadcast: () => {
      const [next, ...rest] = seen;
      seen = rest;
      if (next !== undefined) return next;
      stop();
      return at('running', {});
    },
  });
}

it('ends with 0 when each recipient has a message', async () => {
  shows(at('running', { queued: 1, sent: 1 }), at('finished', { delivered: 3 }));
  const { code, stdout, stderr } = await kurir('watch', 'brc_1');
  expect([code, stderr]).toEqual([0, 'running  brc_1\n']);
  expect(stdout).toBe(
    'finished  brc_1\n  delivered  3\n  skipped    1\n             1  invalid_number: The number is not possible.\n',
  );
  expect(clock.slept).toEqual([2_000]);
});

it.each([
  [at('finished', { sent: 2, failed: 1 }), /recipient_not_on_network/],
  [at('finished', { sent: 2, unknown: 1 }), /unknown {4}1/],
  [at('finished', { sent: 2, expired: 1 }), /expired {4}1/],
  [at('cancelled', { sent: 1, cancelled: 2 }), /^cancelled {2}brc_1/],
])('ends with 1 if not each one got it', async (last, shown) => {
  shows(last);
  expect(await kurir('watch', 'brc_1')).toMatchObject({ code: 1, stdout: expect.stringMatching(shown) });
});

it('draws a bar with the rate and the end, and says why it is paused', async () => {
  shows(
    at('running', { sent: 1, failed: 1, sending: 1 }),
    at('paused', { sent: 1, failed: 1 }, { paused_by: 'no_device' }),
    at('running', { sent: 1, failed: 1 }),
    at('finished', { sent: 2, failed: 1 }),
  );
  const { stderr } = await onTerminal('watch', 'brc_1');
  expect(stderr).toMatch(/█ 3 of 3, 1 failed, finished\n/);
  expect(stderr).toMatch(/░ 2 of 3, 1 failed, 30 a minute, ends about \d\d:05:00/);
  expect(stderr).toContain('no_device: None of its devices can send. It goes on by itself.\n');
  expect(stderr).toContain('░ 2 of 3, 1 failed, no_device');
  expect(stderr).toContain('kurir broadcast resume brc_1 --failed\n');
});

it('leaves the broadcast running after Ctrl+C, and says so', async () => {
  shows(at('running', { sent: 1 }));
  const { code, stderr } = await kurir('watch', 'brc_1');
  expect([code, stderr]).toEqual([
    0,
    'running  brc_1\nThe broadcast goes on. To pause it: kurir broadcast pause brc_1\n',
  ]);
  expect(new Set(gateway.received.map(({ operation }) => operation))).toEqual(new Set(['getBroadcast']));
});

it('prints one line of JSON for each change', async () => {
  const [first, last] = [at('running', { sent: 1 }), at('finished', { sent: 3 })];
  shows(first, { ...first, rate_per_minute: 31 }, last);
  const { code, stdout, stderr } = await kurir('watch', 'brc_1', '--json');
  const lines = stdout.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([first, last]);
  expect([code, stderr]).toEqual([0, '']);
});

it('rests longer while the gateway takes long to count', async () => {
  let asked = 0;
  gateway.answer({
    getBroadcast: () => {
      clock.advance(5_000);
      return asked++ === 0 ? at('running', {}) : at('finished', { sent: 3 });
    },
  });
  await kurir('watch', 'brc_1');
  expect(clock.slept).toEqual([20_000]);
});

it('follows a broadcast from its start, also one that waits for its time', async () => {
  gateway.answer({ startBroadcast: () => exampleBroadcast({ state: 'scheduled' }) });
  shows(at('scheduled', {}), at('running', {}), at('finished', { sent: 3 }));
  const { code, stderr } = await kurir('start', 'brc_1', '--watch');
  expect([code, stderr]).toEqual([0, 'scheduled  brc_1\nrunning  brc_1\n']);
  expect(gateway.received[0]?.operation).toBe('startBroadcast');
});

it('does not wait for one that nobody has started', async () => {
  shows(at('ready', {}));
  expect(await kurir('watch', 'brc_1')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('kurir broadcast start brc_1 --watch'),
  });
  gateway.fail(refusal('BROADCAST_NOT_FOUND'));
  expect((await kurir('watch', 'brc_2')).code).toBe(1);
});
