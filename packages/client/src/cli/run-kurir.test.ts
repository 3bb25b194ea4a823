import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeClock } from '../../test/clock-fixture.js';
import { exampleJob, type Gateway, refusal, startGateway } from '../../test/gateway-fixture.js';
import { environmentFor, type Ran, runHere } from '../../test/kurir-fixture.js';

let clock = fakeClock();
let gateway: Gateway;

beforeEach(async () => {
  clock = fakeClock();
  gateway = await startGateway(clock.now);
});
afterEach(() => gateway.close());

function kurir(args: readonly string[]): Promise<Ran> {
  return runHere(args, environmentFor(gateway.baseUrl), { clock });
}

describe('wrong usage', () => {
  it.each([
    [['send']],
    [['send', '6281234567890']],
    [['send', '6281234567890', 'Halo', '--priority', 'urgent']],
    [['send', '6281234567890', 'Halo', '--ttl', 'soon']],
    [['send', '6281234567890', 'Halo', '--send-at', '2026-11-22']],
    [['send', '6281234567890', 'Halo', '--ref-prefix', 'a']],
    [['send', '--bulk', 'a.jsonl', '--wait']],
    [['send', '6281234567890', '--bulk', 'a.jsonl']],
    [['send', '--bulk', 'missing.jsonl']],
    [['presence', '6281234567890', 'pause']],
    [['device', 'create']],
    [['device', 'create', 'Toko', '--network', 'telegram']],
    [['device', 'create', 'Toko', '--pace-per-minute', 'fast']],
    [['device', 'link', '--timeout', 'soon']],
    [['status', '../account/info']],
    [['list', '--limit', 'many']],
    [['sign', 'GET', 'api/v1/account/info']],
    [['teleport']],
    [['teleport', '--help']],
    [['device', 'teleport', '-h']],
    [['--help', 'teleport']],
    [[]],
  ])('%j ends with 2, and nothing is sent', async (args) => {
    await expect(kurir(args)).resolves.toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/./) });
    expect(gateway.received).toEqual([]);
  });
});

it('shows the help of a command, also after --device', async () => {
  await expect(kurir(['--device', 'dev_1', 'send', '--help'])).resolves.toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Usage: kurir send'),
  });
});

describe('a refusal', () => {
  it('ends with 1 and the sentence of the gateway', async () => {
    gateway.fail(refusal('QUOTA_EXHAUSTED', 'The quota is used up. Renew the plan.'));
    const { code, stderr } = await kurir(['send', '6281234567890', 'Halo']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'kurir: The quota is used up. Renew the plan.\n  QUOTA_EXHAUSTED, status 402, request req_1\n',
    });
  });

  it('is JSON on stderr with --json', async () => {
    gateway.fail(refusal('JOB_NOT_FOUND', 'There is no such job.'));
    const { code, stdout, stderr } = await kurir(['status', 'msg_9', '--json']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(JSON.parse(stderr)).toEqual({
      success: false,
      code: 'JOB_NOT_FOUND',
      request_id: 'req_1',
      error: 'There is no such job.',
      exit_code: 1,
    });
  });

  it('cannot control the terminal', async () => {
    gateway.fail(refusal('INVALID_REQUEST', '\u001b[2J\u0007gone'));
    const { stderr } = await kurir(['account']);
    expect(stderr).toContain('\ufffd[2J\ufffdgone');
  });
});

describe('the other commands', () => {
  it.each([
    [['list'], 'msg_1  delivered  6281234567890  normal  now  order-1\n'],
    [['cancel', 'msg_1'], 'cancelled  msg_1\n'],
    [['cancel', '--priority', 'bulk'], 'cancelled  3\n'],
    [['presence', '6281234567890', 'start'], 'typing\n'],
    [['presence', 'cnv_1', 'stop'], 'no longer typing\n'],
    [['plan'], '  plan      Starter\n  duration  30 days\n  price     Rp 150,000\n  quota     Unlimited\n'],
    [['renew'], '  renewal  Renewal awaits payment.\n  pay at   http://127.0.0.1/pay/1\n  id       rnw_1\n'],
    [
      ['renewal', 'rnw_1'],
      '  renewal  rnw_1\n  state    pending\n  plan     Starter, 30 days\n  price    Rp 50,000\n  pay at   http://127.0.0.1/pay/1\n',
    ],
    [['device'], '  device   dev_1\n  state    connected\n  created  now\n'],
    [['device', 'info'], '  device   dev_1\n  state    connected\n  created  now\n'],
    [['device', 'disconnect'], 'disconnected  dev_1\n'],
    [['device', 'list'], 'dev_1  connected  whatsapp  6281200000001  now  Toko  0/20 new  good\n'],
    [['device', 'create', 'Toko'], 'created  dev_2\nLink it: kurir device link --device dev_2\n'],
    [['device', 'cancel-link'], 'cancelled  dev_1\n'],
    [['device', 'reconnect'], 'reconnects  dev_1\n'],
  ])('%j', async (args, stdout) => {
    await expect(kurir(args)).resolves.toEqual({ code: 0, stdout, stderr: '' });
  });

  it('account shows the days and the quota left', async () => {
    const { stdout } = await kurir(['account']);
    expect(stdout).toContain('(12 days left)');
    expect(stdout).toContain('870 of 1000 left');
  });

  it('list sends its filters and names the next page', async () => {
    gateway.answer({ listMessages: () => ({ messages: [], next_cursor: '41' }) });
    const { stdout } = await kurir([
      'list',
      '--status',
      'failed',
      '--to',
      '+6281',
      '--limit',
      '1',
      '--device',
      'dev_2',
    ]);
    expect(stdout).toBe(
      'No messages.\nMore: kurir list --status failed --to +6281 --limit 1 --device dev_2 --cursor 41\n',
    );
    expect(gateway.received[0]?.target).toBe(
      '/api/v1/messages?limit=1&status=failed&phone_destination=6281&device_id=dev_2',
    );
  });

  it('list searches, and filters by reason, priority and key', async () => {
    const failed = exampleJob({ status: 'failed', reason: 'recipient_not_on_network' });
    gateway.answer({ listMessages: () => ({ messages: [failed], next_cursor: null }) });
    const flags = [
      '--search',
      'promo',
      '--reason',
      'recipient_not_on_network',
      '--priority',
      'otp',
      '--key',
      'kk_live_1',
    ];
    const { stdout } = await kurir(['list', ...flags]);
    expect(stdout).toMatch(/failed .* recipient_not_on_network\n$/);
    expect(Object.fromEntries(new URLSearchParams(gateway.received[0]?.target.split('?')[1]))).toEqual({
      q: 'promo',
      reason: 'recipient_not_on_network',
      priority: 'otp',
      api_key: 'kk_live_1',
    });
  });

  it('cancel repeats its call while more messages wait, and prints how many it cancelled', async () => {
    let left = 2;
    gateway.answer({ cancelMessages: () => ({ cancelled: 10_000, has_more: left-- > 0 }) });
    const { stdout, stderr } = await kurir([
      'cancel',
      '--to',
      '+62 811',
      '--since',
      '2026-11-21T09:00Z',
      '--device',
      'dev_2',
    ]);
    expect(stdout).toBe('cancelled  30000\n');
    expect(stderr).toContain('20000 cancelled, going on');
    expect(gateway.received).toHaveLength(3);
    expect(JSON.parse(gateway.received[0]?.body ?? '')).toEqual({
      filter: { since: '2026-11-21T09:00:00.000Z', phone_destination: '62811', device_id: 'dev_2' },
    });
  });

  it.each([
    [['cancel']],
    [['cancel', 'msg_1', '--priority', 'bulk']],
    [['cancel', '--priority', 'urgent']],
    [['cancel', '--since', 'yesterday']],
  ])('%j cancels nothing, and says what is missing', async (args) => {
    const { code, stderr } = await kurir(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/give|Allowed choices/i);
    expect(gateway.received).toEqual([]);
  });

  it('renew sends the method', async () => {
    await kurir(['renew', '--method', 'crypto']);
    expect(gateway.received[0]?.target).toBe('/api/v1/account/renew?payment_method=crypto');
  });

  it('help ends with 0', async () => {
    await expect(kurir(['send', '--help'])).resolves.toMatchObject({ code: 0, stderr: '' });
    await expect(kurir(['--version'])).resolves.toMatchObject({ code: 0, stdout: '1.2.3\n' });
  });
});
