import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeClock } from '../../../test/clock-fixture.js';
import {
  exampleOptOut,
  exampleSuppression,
  type Gateway,
  refusal,
  startGateway,
} from '../../../test/gateway-fixture.js';
import { environmentFor, runHere } from '../../../test/kurir-fixture.js';

let clock = fakeClock();
let gateway: Gateway;
let folder: string;

beforeEach(async () => {
  clock = fakeClock();
  gateway = await startGateway(clock.now);
  folder = await mkdtemp(join(tmpdir(), 'kurir-suppressions-'));
});
afterEach(async () => {
  await gateway.close();
  await rm(folder, { recursive: true });
});

const kurir = (...args: string[]) => runHere(args, environmentFor(gateway.baseUrl), { clock, folder });
const bodies = () => gateway.accepted.map(({ body }): unknown => (body === '' ? null : JSON.parse(body)));
const ago = (ms: number) => new Date(clock.now() - ms).toISOString();

describe('suppressions', () => {
  it('are listed, also those of erased numbers and of people who hide theirs', async () => {
    const suppressions = [
      exampleSuppression({ created_at: ago(120_000) }),
      exampleSuppression({
        phone: null,
        user_id: 'lid:\u001b1',
        reason: 'complaint',
        scope: 'all',
        created_at: ago(0),
      }),
      exampleSuppression({ phone: null, created_at: ago(0) }),
    ];
    gateway.answer({ listSuppressions: () => ({ suppressions, next_cursor: '9.x.m' }) });
    const { code, stdout } = await kurir('suppressions', 'list', '--phone', '+62 812', '--scope', 'marketing');
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      '6281234567890  marketing  keyword    2 minutes ago',
      'lid:\ufffd1         all        complaint  now',
      '(erased)       marketing  keyword    now',
      "More: kurir suppressions list --phone '+62 812' --scope marketing --cursor 9.x.m",
      '',
    ]);
    expect(gateway.received[0]?.target).toBe('/api/v1/suppressions?phone=62812&scope=marketing');
  });

  it('are added and removed, with a sentence for a repeat', async () => {
    expect(await kurir('suppressions', 'add', '+62 812-3456', '--scope', 'all', '--reason', 'complaint')).toMatchObject(
      {
        code: 0,
        stdout: 'suppressed, 2 waiting messages cancelled\n',
      },
    );
    gateway.answer({ addSuppressions: () => ({ added: 0, cancelled: 1 }) });
    expect((await kurir('suppressions', 'add', '628123456')).stdout).toBe(
      'suppressed before, 1 waiting message cancelled\n',
    );
    expect(bodies()).toEqual([
      { phone: '628123456', scope: 'all', reason: 'complaint' },
      { phone: '628123456', scope: 'marketing', reason: 'manual' },
    ]);
    expect((await kurir('suppressions', 'remove', 'lid:2515')).stdout).toBe('removed\n');
    gateway.answer({ removeSuppression: () => ({ removed: false }) });
    expect((await kurir('suppressions', 'remove', '+62 8123456', '--scope', 'all')).stdout).toContain('not suppressed');
    expect(gateway.received.slice(2).map(({ target }) => target)).toEqual([
      '/api/v1/suppressions/lid:2515',
      '/api/v1/suppressions/628123456?scope=all',
    ]);
  });

  it.each([
    [['suppressions', 'add']],
    [['suppressions', 'add', '62812345', '--scope', 'some']],
    [['suppressions', 'add', '62812345', '--reason', 'keyword']],
    [['suppressions', 'remove', '../account']],
    [['suppressions', 'import', 'none.csv']],
    [['opt-out', 'set']],
  ])('%j ends with 2, and nothing is changed', async (args) => {
    expect(await kurir(...args)).toMatchObject({ code: 2, stdout: '' });
    expect(gateway.received).toEqual([]);
  });
});

describe('import', () => {
  const importFile = async (text: string, ...more: string[]) => {
    await writeFile(join(folder, 'a.csv'), text);
    return kurir('suppressions', 'import', 'a.csv', ...more);
  };
  /** The gateway refuses each call with one of the `wrong` numbers. The calls come in this order. */
  function refuse(phones: readonly string[], wrong: readonly string[]): void {
    if (!phones.some((phone) => wrong.includes(phone))) return gateway.fail('none');
    gateway.fail(refusal('INVALID_PHONE_NUMBER', 'phones: is not possible.'));
    const middle = phones.length >> 1;
    for (const half of middle === 0 ? [] : [phones.slice(0, middle), phones.slice(middle)]) refuse(half, wrong);
  }

  it('reads a CSV with a header, quotes, a byte order mark, empty and repeated lines', async () => {
    const text =
      '\ufeffphone;name\r\n"+62 812-0000-0001";Budi\r\n\r\n6281200000002,Siti\n\'6281200000003\t\n6281200000001\n';
    const { code, stdout, stderr } = await importFile(text);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '3 suppressed, 2 waiting messages cancelled, 0 lines refused\n',
      stderr: '',
    });
    expect(bodies()).toEqual([
      { phones: ['6281200000001', '6281200000002', '6281200000003'], scope: 'marketing', reason: 'import' },
    ]);
  });

  it('goes in calls of a thousand', async () => {
    const numbers = Array.from({ length: 2_500 }, (_, i) => String(6_281_200_000_000 + i));
    const { code, stdout } = await importFile(numbers.join('\n'), '--scope', 'all', '--reason', 'bounced');
    expect([code, stdout]).toEqual([0, '2500 suppressed, 6 waiting messages cancelled, 0 lines refused\n']);
    expect(bodies().map((body) => (body as { phones: string[] }).phones.length)).toEqual([1_000, 1_000, 500]);
    expect(bodies()[0]).toMatchObject({ scope: 'all', reason: 'bounced' });
  });

  it('names each refused line with its reason, stores the others, and ends with 1', async () => {
    const { code, stdout, stderr } = await importFile('nama\n081234\nBudi 5\n=1+1\n123\n6281200000001\n6.28E+12');
    expect(code).toBe(1);
    expect(stdout).toBe('1 suppressed, 2 waiting messages cancelled, 5 lines refused\n');
    expect(stderr.trimEnd().split('\n')).toEqual([
      'line 2: must have 7 to 15 digits',
      'line 3: not a phone number',
      'line 4: not a phone number',
      'line 5: must have 7 to 15 digits',
      'line 7: not a phone number',
    ]);
  });

  it('finds the numbers that only the gateway knows to be impossible', async () => {
    const numbers = Array.from({ length: 16 }, (_, i) => String(6_281_200_000_000 + i));
    refuse(numbers, [numbers[3] ?? '', numbers[12] ?? '']);
    const { code, stdout, stderr } = await importFile(numbers.join('\n'));
    expect([code, stdout]).toEqual([1, '14 suppressed, 12 waiting messages cancelled, 2 lines refused\n']);
    expect(stderr).toBe('line 4: not a possible phone number\nline 13: not a possible phone number\n');
  });

  it('says where it stopped when the gateway refuses for another reason', async () => {
    gateway.fail(refusal('KEY_NOT_ALLOWED', 'This key lacks the scope contacts:write.'));
    const { code, stderr } = await importFile('6281200000001');
    expect(code).toBe(1);
    expect(stderr).toContain('Stopped after 0 of 1. Run it again; nothing is added twice.');
    expect(stderr).toContain('contacts:write');
  });

  it('of a file without a number ends with 2', async () => {
    expect(await importFile('phone,name\n')).toMatchObject({ code: 2, stdout: '' });
  });

  it('prints everything as JSON', async () => {
    const { stdout, stderr } = await importFile('6281200000001\n0812', '--json');
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      added: 1,
      cancelled: 2,
      refused: [{ line: 2, reason: 'must have 7 to 15 digits' }],
    });
  });
});

it('export writes all pages as CSV, without formulas', async () => {
  const pages = [
    { suppressions: [exampleSuppression()], next_cursor: 'more' },
    { suppressions: [exampleSuppression({ phone: null, user_id: '=cmd|"x"' })], next_cursor: null },
  ];
  gateway.answer({
    listSuppressions: ({ target }) =>
      pages[target.includes('cursor=more') ? 1 : 0] ?? { suppressions: [], next_cursor: null },
  });
  const { stdout } = await kurir('suppressions', 'export');
  expect(stdout.split('\r\n')).toEqual([
    'phone,user_id,scope,reason,message_id,added_by,created_at',
    '6281234567890,,marketing,keyword,inb_1,,2026-11-21T09:00:00.000Z',
    `,"'=cmd|""x""",marketing,keyword,inb_1,,2026-11-21T09:00:00.000Z`,
    '',
  ]);
});

describe('opt-out', () => {
  it('shows words and replies', async () => {
    expect((await kurir('opt-out')).stdout.split('\n')).toEqual([
      '  opt out by  STOP, BERHENTI',
      '  reply       No more promotions.',
      '  opt in by   START, MULAI',
      '  reply       none',
      '',
    ]);
  });

  it('changes only what is named', async () => {
    await kurir('opt-out', 'set', '--stop-words', 'STOP, STOP PROMO', '--no-stop-reply', '--start-reply', 'Hai lagi');
    expect(JSON.parse(gateway.accepted[1]?.body ?? '')).toEqual({
      ...exampleOptOut,
      stop_words: ['STOP', 'STOP PROMO'],
      stop_reply: null,
      start_reply: 'Hai lagi',
    });
  });
});

it('a message is sent with its category', async () => {
  await kurir('send', '6281234567890', 'Diskon', '--category', 'marketing');
  expect(bodies()[0]).toMatchObject({ category: 'marketing' });
});
