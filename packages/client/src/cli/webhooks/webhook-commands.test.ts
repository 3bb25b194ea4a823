import { afterEach, beforeEach, expect, it } from 'vitest';
import { fakeClock } from '../../../test/clock-fixture.js';
import { type Gateway, refusal, startGateway } from '../../../test/gateway-fixture.js';
import { exampleAttempt, exampleWebhook } from '../../../test/webhook-examples.js';
import { environmentFor, runHere } from '../../../test/kurir-fixture.js';

let clock = fakeClock();
let gateway: Gateway;

beforeEach(async () => {
  clock = fakeClock();
  gateway = await startGateway(clock.now);
});
afterEach(() => gateway.close());

const kurir = (...args: string[]) => runHere(['webhook', ...args], environmentFor(gateway.baseUrl), { clock });
const sentBody = (index = 0): unknown => JSON.parse(gateway.received[index]?.body ?? '');

it('creates a webhook and shows its secret once', async () => {
  const { code, stdout } = await kurir(
    'create',
    'https://example.com/hook',
    '--types',
    'message.sent,message.failed',
    '--devices',
    'dev_1',
    '--mode',
    'ordered',
    '--max-per-second',
    '5',
  );
  expect([code, stdout.includes('whsec_example')]).toEqual([0, true]);
  expect(sentBody()).toEqual({
    url: 'https://example.com/hook',
    types: ['message.sent', 'message.failed'],
    device_ids: ['dev_1'],
    mode: 'ordered',
    max_per_second: 5,
  });
});

it('changes only what is named, and refuses contradictions before it calls', async () => {
  expect((await kurir('update', 'whk_1', '--enable', '--types', 'all', '--max-per-second', 'none')).code).toBe(0);
  expect(sentBody()).toEqual({ enabled: true, types: [], max_per_second: null });
  expect((await kurir('update', 'whk_1', '--enable', '--disable')).code).toBe(2);
  expect((await kurir('update', 'whk_1', '--max-per-second', '0')).code).toBe(2);
  expect((await kurir('create')).code).toBe(2);
  expect(gateway.received).toHaveLength(1);
});

it('lists webhooks with their state, and control characters do not reach the terminal', async () => {
  gateway.answer({ listWebhooks: () => ({ webhooks: [exampleWebhook({ url: 'https://a\u001b[2J' })] }) });
  expect((await kurir()).stdout).toBe('whk_1  healthy  https://a\ufffd[2J\n');
  gateway.answer({ listWebhooks: () => ({ webhooks: [] }) });
  expect((await kurir('list')).stdout).toContain('kurir webhook create');
  expect(JSON.parse((await kurir('list', '--json')).stdout)).toEqual({ webhooks: [] });
});

it('pings, waits for the result, and says by its exit code whether the webhook took it', async () => {
  let asked = 0;
  gateway.answer({
    listWebhookAttempts: () => ({ attempts: asked++ < 2 ? [] : [exampleAttempt()], next_cursor: null }),
  });
  const well = await kurir('ping', 'whk_1');
  expect([well.code, asked]).toEqual([0, 3]);
  expect(well.stdout).toContain('204 12 ms');
  const failed = exampleAttempt({ outcome: 'failed', status: null, error: 'connection_refused' });
  gateway.answer({ listWebhookAttempts: () => ({ attempts: [failed], next_cursor: null }) });
  const ill = await kurir('ping', 'whk_1');
  expect([ill.code, ill.stdout.includes('connection_refused')]).toEqual([4, true]);
  gateway.answer({ listWebhookAttempts: () => ({ attempts: [], next_cursor: null }) });
  expect((await kurir('ping', 'whk_1', '--timeout', '2s')).code).toBe(4);
});

it('counts a replay with --dry-run, and needs a span', async () => {
  const { stdout } = await kurir('replay', 'whk_1', '--since', '2026-11-21T18:00Z', '--dry-run');
  expect(stdout).toBe('3 events\n');
  expect(sentBody()).toEqual({ since: '2026-11-21T18:00:00.000Z', dry_run: true });
  expect((await kurir('replay', 'whk_1')).code).toBe(2);
});

it('shows attempts, resends, rotates, shows and deletes', async () => {
  await kurir('attempts', 'whk_1', '--outcome', 'failed', '--event', 'evt_1');
  await kurir('resend', 'whk_1', 'evt_1');
  expect((await kurir('rotate', 'whk_1')).stdout).toContain('whsec_new');
  expect((await kurir('show', 'whk_1')).stdout).toContain('https://example.com/hook');
  await kurir('delete', 'whk_1');
  expect(gateway.received.map(({ method, target }) => `${method} ${target}`)).toEqual([
    'GET /api/v1/webhooks/whk_1/attempts?outcome=failed&event_id=evt_1',
    'POST /api/v1/events/evt_1/resend',
    'POST /api/v1/webhooks/whk_1/rotate-secret',
    'GET /api/v1/webhooks/whk_1',
    'DELETE /api/v1/webhooks/whk_1',
  ]);
  gateway.fail(refusal('WEBHOOK_NOT_FOUND'));
  expect((await kurir('show', 'whk_2')).code).toBe(1);
});

it('lists the events that used all tries, with the cursor of the next page', async () => {
  expect((await kurir('failed', 'whk_1', '--cursor', '1-a-2')).stdout).toBe('No failed events.\n');
  expect(gateway.received[0]?.target).toBe('/api/v1/webhooks/whk_1/failed-events?cursor=1-a-2');
  const at = '2026-11-21T09:00:00.000Z';
  const erased = { event_id: 'evt_1', type: null, event: null, event_at: at, tries: 10, failed_at: at };
  gateway.answer({ listFailedEvents: () => ({ events: [erased], next_cursor: '1-9-1' }) });
  const { code, stdout } = await kurir('failed', 'whk_1');
  expect([code, stdout]).toEqual([0, expect.stringMatching(/  erased  evt_1  10 tries\nMore: --cursor 1-9-1\n$/)]);
});
