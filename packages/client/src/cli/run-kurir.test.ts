import type { MessageReason } from '@kurir/contracts';
import { verifyRequestSignature, sha256Hex } from '@kurir/signing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeClock } from '../../test/clock-fixture.js';
import { apiSecret, exampleJob, type Gateway, refusal, startGateway } from '../../test/gateway-fixture.js';
import type { Surroundings } from './terminal/cli.js';
import { environmentFor, type Ran, runHere } from '../../test/kurir-fixture.js';

let clock = fakeClock();
let gateway: Gateway;

beforeEach(async () => {
  clock = fakeClock();
  gateway = await startGateway(clock.now);
});
afterEach(() => gateway.close());

function kurir(args: readonly string[], more: Partial<Surroundings> & { input?: string } = {}): Promise<Ran> {
  return runHere(args, environmentFor(gateway.baseUrl), { clock, ...more });
}

function sentBody(): unknown {
  return JSON.parse(gateway.received[0]?.body ?? '');
}

function jobAfter(status: 'sent' | 'failed', reason: MessageReason | null) {
  return exampleJob({
    status,
    reason,
    priority: 'otp',
    client_ref: null,
    expires_at: '2026-11-21T09:05:00.000Z',
    created_at: '2026-11-21T08:57:00.000Z',
    timeline: [
      { status: 'queued', reason: null, at: '2026-11-21T08:57:00.000Z' },
      { status: 'sending', reason: null, at: '2026-11-21T08:57:00.029Z' },
      { status, reason, at: '2026-11-21T08:57:01.229Z' },
    ],
  });
}

describe('send', () => {
  it('accepts a number as people write it and prints the job id', async () => {
    await expect(kurir(['send', '+62 812-3456-7890', 'Halo'])).resolves.toEqual({
      code: 0,
      stdout: 'accepted  msg_1\n',
      stderr: '',
    });
    expect(sentBody()).toMatchObject({ message: 'Halo', phone_destination: '6281234567890' });
  });

  it('prints the answer of the API with --json, before or after the command', async () => {
    const before = await kurir(['--json', 'send', '6281234567890', 'Halo']);
    const after = await kurir(['send', '6281234567890', 'Halo', '--json']);
    expect([before, after].map(({ stdout }) => JSON.parse(stdout))).toEqual([{ job_id: 'msg_1' }, { job_id: 'msg_2' }]);
  });

  it('hands on every option', async () => {
    const options = [
      '--priority',
      'otp',
      '--ttl',
      '2m',
      '--send-at',
      '2026-11-22T09:00+07:00',
      '--client-ref',
      'order-1',
    ];
    await kurir(['send', '6281234567890', 'Halo', '--device', 'dev_2', ...options]);
    expect(sentBody()).toEqual({
      message: 'Halo',
      phone_destination: '6281234567890',
      priority: 'otp',
      ttl_seconds: 120,
      send_at: '2026-11-22T02:00:00.000Z',
      client_ref: 'order-1',
    });
    expect(gateway.received[0]?.headers['x-device-id']).toBe('dev_2');
  });

  it('reads the text from standard input, without the newline that ends it', async () => {
    await kurir(['send', '6281234567890', '-'], { input: 'Baris satu\nBaris dua\n' });
    expect(sentBody()).toMatchObject({ message: 'Baris satu\nBaris dua' });
  });

  it('waits, shows the way and the end of it', async () => {
    const { code, stdout, stderr } = await kurir(['send', '6281234567890', 'Halo', '--wait']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('accepted  msg_1') });
    expect(stdout).toContain('msg_1  delivered');
  });

  it('ends with 4 when the job failed, and says why', async () => {
    gateway.answer({ getMessage: () => jobAfter('failed', 'recipient_not_on_network') });
    const { code, stdout } = await kurir(['send', '6281234567890', 'Halo', '--until', 'read']);
    expect(code).toBe(4);
    expect(stdout).toContain('The number has no account on the messaging network.');
  });

  it('ends with 4 when it did not come so far in time', async () => {
    gateway.answer({ getMessage: () => jobAfter('sent', null) });
    const { code, stderr } = await kurir(['send', '6281234567890', 'Halo', '--wait', '--timeout', '5s']);
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: expect.stringContaining('not delivered within 5000 ms; it is sent'),
    });
  });

  it('says how to repeat it when it may have been accepted', async () => {
    gateway.fail(...Array.from({ length: 4 }, () => 'lost-after-acceptance' as const));
    const first = await kurir(['send', '6281234567890', 'Halo']);
    expect(first.code).toBe(3);
    const [, reference = ''] = /--client-ref (\S+)/.exec(first.stderr) ?? [];
    expect(sentBody()).toMatchObject({ client_ref: reference });
  });

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
    [[]],
  ])('%j is wrong usage, and nothing is sent', async (args) => {
    await expect(kurir(args)).resolves.toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/./) });
    expect(gateway.received).toEqual([]);
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

  it('cannot steer the terminal', async () => {
    gateway.fail(refusal('INVALID_REQUEST', '\u001b[2J\u0007gone'));
    const { stderr } = await kurir(['account']);
    expect(stderr).toContain('\ufffd[2J\ufffdgone');
  });
});

describe('status', () => {
  it('says at the step why it came to it', async () => {
    gateway.answer({ getMessage: () => jobAfter('failed', 'recipient_not_on_network') });
    const { stdout } = await kurir(['status', 'msg_1']);
    expect(stdout).toMatch(/● failed +\+1\.2 s {2}recipient_not_on_network\n/);
  });

  it('shows the timeline with the steps between', async () => {
    gateway.answer({ getMessage: () => jobAfter('sent', null) });
    const { stdout } = await kurir(['status', 'msg_1']);
    const lines = stdout.split('\n').map((line) => line.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/, 'TIME').trimEnd());
    expect(lines).toEqual([
      'msg_1  sent',
      '',
      '  to        6281234567890',
      '  device    dev_1',
      '  priority  otp',
      '  expires   TIME  (in 5 minutes)',
      '',
      '  TIME  ● queued     3 minutes ago',
      '  TIME  ● sending    +29 ms',
      '  TIME  ● sent       +1.2 s',
      '',
    ]);
  });

  it('prints the API’s own JSON', async () => {
    gateway.answer({ getMessage: () => jobAfter('sent', null) });
    const { stdout } = await kurir(['status', 'msg_1', '--json']);
    expect(JSON.parse(stdout)).toEqual(jobAfter('sent', null));
  });
});

it('kurir status says what a message waits for, and until when', async () => {
  const waiting = { reason: 'new_contact_allowance', until: '2026-11-21T10:00:00.000Z' } as const;
  gateway.answer({ getMessage: () => exampleJob({ status: 'queued', waiting }) });
  const { stdout } = await kurir(['status', 'msg_1']);
  expect(stdout).toContain('waiting   new_contact_allowance: The recipient is a new contact');
  expect(stdout).toMatch(/until +\S+/);
});

describe('the other commands', () => {
  it.each([
    [['list'], 'msg_1  delivered  6281234567890  normal  now  order-1\n'],
    [['cancel', 'msg_1'], 'cancelled  msg_1\n'],
    [['cancel', '--priority', 'bulk'], 'cancelled  3\n'],
    [['presence', '6281234567890', 'start'], 'typing\n'],
    [['plan'], '  plan      Starter\n  duration  30 hari\n  price     Rp 150.000\n  quota     Unlimited\n'],
    [['renew'], '  renewal  Renewal awaits payment.\n  pay at   http://127.0.0.1/pay/1\n  id       rnw_1\n'],
    [
      ['renewal', 'rnw_1'],
      '  renewal  rnw_1\n  state    pending\n  plan     Starter, 30 days\n  price    Rp 50.000\n  pay at   http://127.0.0.1/pay/1\n',
    ],
    [['device'], '  device   dev_1\n  state    connected\n  created  now\n'],
    [['device', 'info'], '  device   dev_1\n  state    connected\n  created  now\n'],
    [['device', 'disconnect'], 'disconnected  dev_1\n'],
    [['device', 'list'], 'dev_1  connected  whatsapp  6281200000001  now  Toko  0/20 new\n'],
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

  it('list hands on its filters and names the next page', async () => {
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
    expect(stdout).toBe('No messages.\nMore: kurir list --cursor 41\n');
    expect(gateway.received[0]?.target).toBe(
      '/api/v1/messages?limit=1&status=failed&phone_destination=6281&device_id=dev_2',
    );
  });

  it('cancel asks again while more of what it names wait, and says how many that were', async () => {
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
  ])('%j cancels nothing, and says what to give', async (args) => {
    const { code, stderr } = await kurir(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/give|Allowed choices/i);
    expect(gateway.received).toEqual([]);
  });

  it('renew hands on the method', async () => {
    await kurir(['renew', '--method', 'crypto']);
    expect(gateway.received[0]?.target).toBe('/api/v1/account/renew?payment_method=crypto');
  });

  it('help is no mistake', async () => {
    await expect(kurir(['send', '--help'])).resolves.toMatchObject({ code: 0, stderr: '' });
    await expect(kurir(['--version'])).resolves.toMatchObject({ code: 0, stdout: '1.2.3\n' });
  });
});

describe('sign', () => {
  const target = '/api/v1/messages?status=failed&limit=50';

  function check(method: string, signedTarget: string, headers: Record<string, string>, body: string): number | null {
    const { 'X-Timestamp': timestamp = '', 'X-Signature': signature = '' } = headers;
    const bodySha256 = sha256Hex(body);
    return verifyRequestSignature({
      method,
      target: signedTarget,
      timestamp,
      signature,
      bodySha256,
      secrets: [apiSecret],
    });
  }

  it('prints headers that the gateway accepts', async () => {
    const { stdout } = await kurir(['sign', 'get', target, '--json']);
    const { headers } = JSON.parse(stdout);
    expect(headers['X-Timestamp']).toBe('1795251600');
    expect(check('GET', target, headers, '')).toBe(0);
  });

  it('signs the path of the base URL too', async () => {
    const environment = environmentFor('https://example.com/kurir/');
    const { stdout } = await runHere(['sign', 'POST', target, '--body', '{}', '--json'], environment, { clock });
    expect(check('POST', `/kurir${target}`, JSON.parse(stdout).headers, '{}')).toBe(0);
  });

  it('quotes the body for the shell and never prints the secret', async () => {
    const { stdout } = await kurir(['sign', 'POST', '/api/v1/messages/send', '--body', `{"message":"it's"}`]);
    expect(stdout).toContain(`--data-raw '{"message":"it'\\''s"}'`);
    expect(stdout).toContain(`'${gateway.baseUrl}/api/v1/messages/send'`);
    expect(stdout).not.toContain(apiSecret);
    expect(gateway.received).toEqual([]);
  });
});
