import type { DataOf } from '@kurir/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeClock } from '../../test/clock-fixture.js';
import { type Gateway, refusal, startGateway } from '../../test/gateway-fixture.js';
import { environmentFor, runHere } from '../../test/kurir-fixture.js';
import { reasonToRenew } from './renew-command.js';

let clock = fakeClock();
let gateway: Gateway;
beforeEach(async () => {
  clock = fakeClock();
  gateway = await startGateway(clock.now);
});
afterEach(() => gateway.close());

const kurir = (...args: string[]) => runHere(['renew', ...args], environmentFor(gateway.baseUrl), { clock });
const both = ['--when-below', '10%', '--when-days', '3'];

const account = (changed: Partial<DataOf<'accountInfo'>> = {}): DataOf<'accountInfo'> => ({
  user_id: 'acc_1',
  session_id: '0f0e0d0c-0000-4000-8000-000000000000',
  plan: 'Starter',
  plan_type: 'TIME_BASED',
  start_date: '2026-11-01T00:00:00.000Z',
  expiry_date: '2026-12-01T00:00:00.000Z',
  days_left: 12,
  initial_quota: '1000',
  remaining_quota: '870',
  ...changed,
});

const renewals = () => gateway.accepted.filter(({ operation }) => operation === 'renewAccount');
const names = () => renewals().map(({ headers }) => headers['idempotency-key']);

describe('the condition', () => {
  const holds = (left: string, all: string, daysLeft: number, whenBelow?: number, whenDays?: number) =>
    reasonToRenew({ remainingQuota: left, initialQuota: all, daysLeft }, { whenBelow, whenDays }) !== null;

  it.each([
    ['100', '1000', 30, 10, undefined, false],
    ['99', '1000', 30, 10, undefined, true],
    ['0', '1000', 30, 1, undefined, true],
    ['0', '0', 30, 10, undefined, false],
    ['Unlimited', 'Unlimited', 30, 100, undefined, false],
    ['Unlimited', 'Unlimited', 3, 100, 3, true],
    ['870', '1000', 4, 10, 3, false],
    ['870', '1000', 0, undefined, 3, true],
  ] as const)('with %s of %s messages and %i days left, below %s %% and at %s days, is %s', (...given) => {
    const [left, all, daysLeft, below, days, expected] = given;
    expect(holds(left, all, daysLeft, below, days)).toBe(expected);
  });
});

it('renews nothing while enough is left', async () => {
  const { code, stdout } = await kurir(...both);
  expect(code).toBe(0);
  expect(stdout).toBe('No renewal is needed: 870 of 1000 messages and 12 days are left.\n');
  expect(JSON.parse((await kurir(...both, '--once', '--json')).stdout)).toEqual({ renewed: false });
  expect(renewals()).toEqual([]);
});

it('renews under the name of the period, so a second run asks for the same renewal', async () => {
  gateway.answer({ accountInfo: () => account({ remaining_quota: '99' }) });
  const { code, stdout, stderr } = await kurir(...both, '--method', 'ordinary');
  expect(code).toBe(0);
  expect(stdout).toContain('pay at   http://127.0.0.1/pay/1');
  expect(stderr).toContain('99 of 1000 messages are left.');
  clock.advance(3_600_000);
  expect(JSON.parse((await kurir(...both, '--json')).stdout)).toMatchObject({ renewal_id: 'rnw_1' });
  gateway.answer({ accountInfo: () => account({ days_left: 1, expiry_date: '2026-12-31T00:00:00.000Z' }) });
  await kurir(...both);
  const [first, second, next] = names();
  expect(first).toMatch(/^[\w-]{10,64}$/);
  expect(second).toBe(first);
  expect(next).not.toBe(first);
});

it.each([
  [['--when-below', '0%']],
  [['--when-below', '101']],
  [['--when-days', '0']],
  [['--when-days', 'x']],
  [['--follow']],
  [[...both, '--once', '--follow']],
])('refuses %j and asks the gateway for nothing', async (args) => {
  expect((await kurir(...args)).code).toBe(2);
  expect(gateway.received).toEqual([]);
});

it('exits with the refusal of the gateway, and says when it is not there', async () => {
  gateway.answer({ accountInfo: () => account({ days_left: 1 }) });
  gateway.fail(refusal('NO_PLAN_CHOSEN'));
  expect((await kurir(...both)).code).toBe(1);
  const closed = environmentFor('http://127.0.0.1:1');
  expect((await runHere(['renew', ...both], closed, { clock })).code).toBe(3);
});

it('shows how it is driven', async () => {
  const { code, stdout } = await kurir('--help');
  expect(code).toBe(0);
  expect(stdout).toContain('no event tells 10 %');
});

it('follows: renews once in each period, at an event or a minute later, through an outage', async () => {
  const looks = [
    account(),
    account({ remaining_quota: '90' }),
    account({ remaining_quota: '80' }),
    account({ remaining_quota: '1080', initial_quota: '2000', expiry_date: '2026-12-31T00:00:00.000Z' }),
    account({ days_left: 2, expiry_date: '2026-12-31T00:00:00.000Z' }),
  ];
  let look = 0;
  gateway.answer({
    accountInfo: () => {
      const seen = looks[look++];
      if (seen !== undefined) return seen;
      // No more to look at: the gateway refuses for good, and the command ends.
      gateway.fail(refusal('KEY_NOT_ALLOWED'));
      return account({ days_left: 2, expiry_date: '2026-12-31T00:00:00.000Z' });
    },
    listEvents: () => {
      clock.advance(25_000);
      return { events: [], next_cursor: 'c', has_more: false };
    },
  });
  gateway.fail(...Array.from({ length: 6 }, () => refusal('SERVICE_UNAVAILABLE')));
  const { code, stdout } = await kurir(...both, '--follow', '--json');
  expect(code).toBe(1);
  const lines = stdout.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { renewal_id: 'rnw_1' },
    { renewal_id: 'rnw_1' },
  ]);
  expect(new Set(names()).size).toBe(2);
  expect(names()).toHaveLength(2);
});

it('follows: asks for another renewal when nobody has paid the first one in the lifetime of its page', async () => {
  const hour = 3_600_000;
  // How long the command waits before each look. The first call of the feed only finds the cursor.
  const waits = [0, 23 * hour, hour, hour];
  let look = 0;
  gateway.answer({
    accountInfo: () => {
      look += 1;
      if (look === waits.length) gateway.fail(refusal('KEY_NOT_ALLOWED'));
      return account({ remaining_quota: '90' });
    },
    listEvents: () => {
      clock.advance(waits[look] ?? 0);
      return { events: [], next_cursor: 'c', has_more: false };
    },
  });
  const { code } = await kurir(...both, '--follow');
  expect(code).toBe(1);
  expect(look).toBe(waits.length);
  const [first, ...later] = names();
  expect(later).toEqual([first]);
});
