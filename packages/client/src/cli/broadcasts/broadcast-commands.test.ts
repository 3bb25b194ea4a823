import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exampleBroadcast, exampleCounted, exampleRecipient } from '../../../test/broadcast-examples.js';
import { fakeClock } from '../../../test/clock-fixture.js';
import { exampleJob, type Gateway, refusal, startGateway } from '../../../test/gateway-fixture.js';
import { environmentFor, runHere } from '../../../test/kurir-fixture.js';

let clock = fakeClock();
let gateway: Gateway;

beforeEach(async () => {
  clock = fakeClock();
  gateway = await startGateway(clock.now);
});
afterEach(() => gateway.close());

const kurir = (...args: string[]) => {
  // At one moment, the second of two equal requests would have the signature of the first.
  clock.advance(1_000);
  return runHere(['broadcast', ...args], environmentFor(gateway.baseUrl), { clock });
};
const sent = (operation: string) =>
  gateway.accepted
    .filter((request) => request.operation === operation)
    .map(({ body }) => (body === '' ? null : (JSON.parse(body) as unknown)));

/** A person at a terminal who types this line. */
function typing(line: string, ...args: string[]) {
  async function* typed() {
    yield `${line}\n`;
  }
  const stdin = Object.assign(typed(), { isTTY: true });
  return runHere(['broadcast', ...args], environmentFor(gateway.baseUrl), { clock, stdin });
}

describe('list and show', () => {
  it('say why a broadcast is paused, and control characters do not reach the terminal', async () => {
    const paused = exampleBroadcast({
      state: 'paused',
      paused_by: 'quota',
      recipients: 12_000,
      name: 'Promo\u001b[2J',
    });
    gateway.answer({ listBroadcasts: () => ({ broadcasts: [paused], next_cursor: 'brc_1' }) });
    expect((await kurir()).stdout).toBe(
      'brc_1  paused (quota)  12,000  1 second ago  Promo\ufffd[2J\nMore: kurir broadcast --cursor brc_1\n',
    );
    gateway.answer({ getBroadcast: () => exampleCounted({ broadcast: paused, ends_about: null }) });
    const { stdout } = await kurir('show', 'brc_1');
    expect(stdout).toContain('quota: The quota does not suffice.');
    expect(stdout).toMatch(/ {2}skipped {4}1\n {13}1 {2}invalid_number: The number is not possible\.\n$/);
  });

  it('name the device that tripped a guard', async () => {
    const tripped = { what: 'opted_out', device_id: 'dev_1', count: 2 } as const;
    const broadcast = exampleBroadcast({ state: 'paused', paused_by: 'guard', tripped, window: null });
    gateway.answer({ getBroadcast: () => exampleCounted({ broadcast }) });
    const { stdout } = await kurir('show', 'brc_1');
    expect(stdout).toMatch(/paused by {3}guard: .* dev_1: 2 opted out\.\n/);
    expect(stdout).toMatch(/hours {7}any\n/);
  });

  it('show reasons of a newer gateway by their word', async () => {
    const { counts } = exampleCounted();
    const failed = [{ reason: 'eaten_by_dog' as 'no_answer', count: 2 }];
    gateway.answer({ getBroadcast: () => exampleCounted({ counts: { ...counts, messages: { failed: 2 }, failed } }) });
    expect((await kurir('show', 'brc_1')).stdout).toContain('  failed     2\n             2  eaten_by_dog\n');
  });

  it('print what the API sent as JSON', async () => {
    expect(JSON.parse((await kurir('show', 'brc_1', '--json')).stdout)).toEqual(exampleCounted());
    gateway.fail(refusal('BROADCAST_NOT_FOUND'));
    expect(await kurir('show', 'brc_2', '--json')).toMatchObject({ code: 1, stdout: '' });
  });
});

describe('check', () => {
  it('tells who gets a message, whom each device knows, and the texts', async () => {
    const { code, stdout } = await kurir('check', 'brc_1');
    expect(code).toBe(0);
    expect(stdout).toContain('1 of 3 recipients would get a message.');
    expect(stdout).toContain('dev_1  knows 1, 20 a minute');
    expect(stdout).toMatch(/\n\n6281234567890\nHalo\n$/);
  });

  it('says that the quota does not suffice, and exits with 1 if nobody gets a message', async () => {
    const answer = {
      broadcast: exampleBroadcast({ state: 'ready' }),
      counts: exampleCounted().counts,
      shares: [],
      new_contacts: 0,
      samples: [],
    };
    gateway.answer({ checkBroadcast: () => ({ ...answer, sendable: 10, remaining_quota: '9' }) });
    expect(await kurir('check', 'brc_1')).toMatchObject({ code: 0, stdout: expect.stringContaining('9 left') });
    gateway.answer({ checkBroadcast: () => ({ ...answer, sendable: 0, remaining_quota: 'Unlimited' }) });
    expect((await kurir('check', 'brc_1')).code).toBe(1);
  });
});

it('a check tells how much of a file is read', async () => {
  const { counts } = exampleCounted();
  const broadcast = exampleBroadcast({ state: 'checking', planned_share: 0.426 });
  const check = { broadcast, counts, shares: [], new_contacts: 0, samples: [], sendable: 10, remaining_quota: '99' };
  gateway.answer({ checkBroadcast: () => check });
  expect((await kurir('check', 'brc_1')).stdout).toContain('The list is still read: 42 %.');
});

describe('start, pause and resume', () => {
  it('print the new state', async () => {
    expect((await kurir('start', 'brc_1')).stdout).toBe('running  brc_1\n');
    expect((await kurir('pause', 'brc_1')).stdout).toBe(
      'paused  brc_1  user: Somebody paused it. Somebody must resume it.\n',
    );
    expect(JSON.parse((await kurir('pause', 'brc_1', '--json')).stdout)).toMatchObject({ paused_by: 'user' });
    await kurir('start', 'brc_1', '--any-hour');
    expect(sent('startBroadcast')).toEqual([{}, { confirm_any_hour: true }]);
    gateway.fail(refusal('BROADCAST_STATE'));
    expect(await kurir('start', 'brc_1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('BROADCAST_STATE'),
    });
  });

  it('resume the rest, or send again to those whose message failed', async () => {
    await kurir('resume', 'brc_1');
    await kurir('resume', 'brc_1', '--failed');
    await kurir('resume', 'brc_1', '--unknown');
    expect(sent('resumeBroadcast')).toEqual([{ scope: 'pending' }, { scope: 'failed' }, { scope: 'unknown' }]);
    expect((await kurir('resume', 'brc_1', '--failed', '--unknown')).code).toBe(2);
  });
});

describe('cancel', () => {
  it('asks a person, and says how many get no message', async () => {
    const asked = await typing('yes', 'cancel', 'brc_1');
    expect(asked).toMatchObject({ code: 0, stdout: 'cancelled  brc_1\n' });
    expect(asked.stderr).toBe('Cancel "Promo" for good? Recipients who then get no message: 1. Type yes: ');
    expect(sent('cancelBroadcast')).toHaveLength(1);
  });

  it.each(['', 'no', 'yes please'])('changes nothing after %j', async (line) => {
    expect(await typing(line, 'cancel', 'brc_1')).toMatchObject({ code: 2, stdout: '' });
    expect(sent('cancelBroadcast')).toEqual([]);
  });

  it('needs --yes from a program', async () => {
    expect(await kurir('cancel', 'brc_1')).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect(sent('cancelBroadcast')).toEqual([]);
    expect((await kurir('cancel', 'brc_1', '--yes')).code).toBe(0);
    expect(gateway.accepted.map(({ operation }) => operation)).toEqual(['getBroadcast', 'cancelBroadcast']);
  });
});

describe('update', () => {
  it('changes only what is given, with several devices', async () => {
    await kurir('update', 'brc_1', '--pace', '60', '--device', 'dev_1', '--device', 'dev_2');
    await kurir('update', 'brc_1', '--no-pace', '--name', 'Promo 2', '--window', '09:00-17:00');
    await kurir('update', 'brc_1', '--no-window', '--any-hour');
    expect(sent('updateBroadcast')).toEqual([
      { pace_per_minute: 60, device_ids: ['dev_1', 'dev_2'] },
      { name: 'Promo 2', pace_per_minute: null, window: { from: '09:00', to: '17:00' } },
      { window: null, confirm_any_hour: true },
    ]);
    expect((await kurir('update', 'brc_1')).code).toBe(2);
    expect((await kurir('update', 'brc_1', '--pace', 'fast')).code).toBe(2);
    expect((await kurir('update', 'brc_1', '--window', 'day')).code).toBe(2);
    expect((await kurir('update', 'brc_1', '--any-hour')).code).toBe(2);
  });
});

describe('test', () => {
  it('sends one message with the values, named as they are', async () => {
    const { stdout } = await kurir(
      'test',
      'brc_1',
      '+62 812-3456-7890',
      '--value',
      'namaDepan=Budi',
      '--value',
      'url=a=b',
    );
    expect(stdout).toBe('accepted  msg_1\n');
    expect(sent('testBroadcast')).toEqual([{ phone: '6281234567890', values: { namaDepan: 'Budi', url: 'a=b' } }]);
    expect((await kurir('test', 'brc_1', '6281234567890', '--value', 'Budi')).code).toBe(2);
  });

  it('waits for the message if asked', async () => {
    expect((await kurir('test', 'brc_1', '6281234567890', '--wait')).code).toBe(0);
    gateway.answer({ getMessage: () => exampleJob({ status: 'failed', reason: 'recipient_not_on_network' }) });
    expect((await kurir('test', 'brc_1', '6281234567890', '--wait')).code).toBe(4);
  });

  it('tells why the message is refused', async () => {
    gateway.fail(refusal('RECIPIENT_SUPPRESSED'));
    const { code, stderr } = await kurir('test', 'brc_1', '6281234567890');
    expect([code, stderr]).toEqual([1, expect.stringContaining('RECIPIENT_SUPPRESSED')]);
  });
});

describe('recipients and results', () => {
  it('list one outcome for each, and an erased person without a number', async () => {
    const erased = exampleRecipient({ position: 2, phone: null, outcome: 'skipped', reason: 'erased', job_id: null });
    gateway.answer({ listBroadcastRecipients: () => ({ recipients: [exampleRecipient(), erased], next_cursor: '2' }) });
    expect((await kurir('recipients', 'brc_1', '--outcome', 'failed', '--limit', '2')).stdout).toBe(
      '1  6281234567890  sent             msg_1\n2  (erased)       skipped  erased\nMore: --cursor 2\n',
    );
    expect(gateway.received[0]?.target).toBe('/api/v1/broadcasts/brc_1/recipients?outcome=failed&limit=2');
    expect((await kurir('recipients', 'brc_1', '--outcome', 'lost')).code).toBe(2);
  });

  it('are written as a file to stdout', async () => {
    expect((await kurir('results', 'brc_1')).stdout).toBe('position,phone\r\n1,6281234567890\r\n');
    await kurir('results', 'brc_1', '--json');
    expect(gateway.received.map(({ target }) => target)).toEqual([
      '/api/v1/broadcasts/brc_1/results.csv?format=csv',
      '/api/v1/broadcasts/brc_1/results.csv?format=ndjson',
    ]);
    gateway.fail(refusal('BROADCAST_NOT_FOUND'));
    expect(await kurir('results', 'brc_2')).toMatchObject({ code: 1, stdout: '' });
  });
});

it('the help shows the way from a list to a result', async () => {
  const { code, stdout } = await kurir('--help');
  expect(code).toBe(0);
  for (const command of ['create', 'check', 'start', 'watch', 'results']) expect(stdout).toContain(command);
});
