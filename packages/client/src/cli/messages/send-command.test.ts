import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeClock } from '../../../test/clock-fixture.js';
import { exampleJob, type Gateway, refusal, startGateway } from '../../../test/gateway-fixture.js';
import { environmentFor, type Ran, runHere } from '../../../test/kurir-fixture.js';

let clock = fakeClock();
let gateway: Gateway;

beforeEach(async () => {
  clock = fakeClock();
  gateway = await startGateway(clock.now);
});
afterEach(() => gateway.close());

function kurir(args: readonly string[], more: { input?: string } = {}): Promise<Ran> {
  return runHere(args, environmentFor(gateway.baseUrl), { clock, ...more });
}

function sentBody(): unknown {
  return JSON.parse(gateway.received[0]?.body ?? '');
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

  it('prints whom a local number means, because the country of the account decides', async () => {
    await expect(kurir(['send', '0812 3456 7890', 'Halo'])).resolves.toMatchObject({
      code: 0,
      stdout: 'accepted  msg_1  to 6281234567890\n',
    });
    gateway.fail('none', refusal('KEY_NOT_ALLOWED'));
    await expect(kurir(['send', '0812 3456 7890', 'Halo'])).resolves.toMatchObject({
      code: 0,
      stdout: 'accepted  msg_2\n',
    });
  });

  it('says when the message was accepted before', async () => {
    gateway.fail({
      status: 202,
      headers: { 'Idempotent-Replayed': 'true' },
      text: JSON.stringify({ success: true, data: { job_id: 'msg_1' }, message: 'Accepted' }),
    });
    await expect(kurir(['send', '6281234567890', 'Halo', '--client-ref', 'a'])).resolves.toMatchObject({
      code: 0,
      stdout: 'accepted  msg_1  accepted before, not sent again\n',
    });
  });

  it('says that the secret is wrong if the signature is', async () => {
    gateway.fail(refusal('INVALID_SIGNATURE', 'X-Signature does not match.'));
    const { code, stderr } = await kurir(['send', '6281234567890', 'Halo']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('KURIR_API_SECRET is not the secret'),
    });
  });

  it('prints the answer of the API with --json, before or after the command', async () => {
    const before = await kurir(['--json', 'send', '6281234567890', 'Halo']);
    const after = await kurir(['send', '6281234567890', 'Halo', '--json']);
    expect([before, after].map(({ stdout }) => JSON.parse(stdout))).toEqual([{ job_id: 'msg_1' }, { job_id: 'msg_2' }]);
  });

  it('sends every option', async () => {
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

  it('sends to a conversation, and replies to a message', async () => {
    const args = ['send', '--conversation', 'cnv_1', '--reply-to', 'inb_7', 'Siap', '--priority', 'otp'];
    expect(await kurir(args)).toMatchObject({ code: 0, stdout: 'accepted  msg_1\n' });
    expect(sentBody()).toEqual({
      message: 'Siap',
      conversation_id: 'cnv_1',
      reply_to: 'inb_7',
      priority: 'otp',
      client_ref: expect.any(String),
    });
    await kurir(['send', '6281234567890', 'Siap', '--reply-to', 'msg_7']);
    expect(JSON.parse(gateway.received[1]?.body ?? '')).toMatchObject({
      phone_destination: '6281234567890',
      reply_to: 'msg_7',
    });
    await kurir(['send', '-', '--conversation', 'cnv_1'], { input: 'Baris satu\n' });
    expect(JSON.parse(gateway.received[2]?.body ?? '')).toMatchObject({
      message: 'Baris satu',
      conversation_id: 'cnv_1',
    });
  });

  it.each([
    [['6281234567890', 'Halo', '--conversation', 'cnv_1'], 'With --conversation, give only the text.'],
    [['--conversation', 'cnv_1'], 'Give the text'],
    [['6281234567890'], '--conversation <id>'],
    [['--conversation', '6281234567890', 'Halo'], 'kurir conversations'],
    [['cnv_1', 'Halo'], '--conversation cnv_1'],
    [['6281234567890', 'Halo', '--reply-to', '3EB0AA'], 'kurir conversations show'],
    [['--bulk', 'x.jsonl', '--conversation', 'cnv_1'], 'conversation_id'],
    [['--bulk', 'x.jsonl', '--reply-to', 'inb_7'], 'reply_to'],
  ])('with %j ends with 2 and says what to do', async (args, sentence) => {
    expect(await kurir(['send', ...args])).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) });
    expect(gateway.received).toEqual([]);
  });

  it('reads the text from standard input, without its last newline', async () => {
    await kurir(['send', '6281234567890', '-'], { input: 'Baris satu\nBaris dua\n' });
    expect(sentBody()).toMatchObject({ message: 'Baris satu\nBaris dua' });
  });

  it('waits, shows when each status came, and ends with one line', async () => {
    const { code, stdout, stderr } = await kurir(['send', '6281234567890', 'Halo', '--wait']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'msg_1  delivered  to 6281234567890\n' });
    expect(stderr).toMatch(/^accepted {2}msg_1\n(?: {2}\w+ +after [\d.]+ (?:ms|s)\n)+$/);
  });

  it('ends with 4 when the job failed, and says why', async () => {
    gateway.answer({ getMessage: () => exampleJob({ status: 'failed', reason: 'recipient_not_on_network' }) });
    const { code, stdout } = await kurir(['send', '6281234567890', 'Halo', '--until', 'read']);
    expect(code).toBe(4);
    expect(stdout).toContain('The number has no account on the messaging network.');
  });

  it('ends with 4 when the job did not reach the status in time', async () => {
    gateway.answer({ getMessage: () => exampleJob({ status: 'sent' }) });
    const { code, stderr } = await kurir(['send', '6281234567890', 'Halo', '--wait', '--timeout', '5s']);
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: expect.stringContaining('not delivered within 5000 ms; it is sent'),
    });
  });

  it('says how to repeat a message that may have been accepted', async () => {
    gateway.fail(...Array.from({ length: 4 }, () => 'lost-after-acceptance' as const));
    const first = await kurir(['send', '6281234567890', 'Halo']);
    expect(first.code).toBe(3);
    const [, reference = ''] = /--client-ref (\S+)/.exec(first.stderr) ?? [];
    expect(sentBody()).toMatchObject({ client_ref: reference });
  });
});
