import { afterEach, beforeEach, expect, it } from 'vitest';
import { exampleEntry } from '../../../test/account-examples.js';
import { type Gateway, refusal, startGateway } from '../../../test/gateway-fixture.js';
import { environmentFor, runHere } from '../../../test/kurir-fixture.js';
import { localTime } from '../terminal/moments.js';

let gateway: Gateway;
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(() => gateway.close());

const kurir = (...args: string[]) => runHere(['audit', ...args], environmentFor(gateway.baseUrl));
const searchOf = (target = '') => Object.fromEntries(new URL(target, 'http://x').searchParams);

it('lists entries by a filter, and says how to go on', async () => {
  const entries = [
    exampleEntry(),
    exampleEntry({ actor: { id: 'midtrans', name: null }, action: 'renewal.paid' }),
    exampleEntry({ actor: { id: 'kk_live_1', name: 'Demo' }, subject: 'brc_1', subject_name: 'Promo' }),
  ];
  gateway.answer({ listAudit: () => ({ entries, next_cursor: 'aud_0' }) });
  const { code, stdout } = await kurir('--group', 'keys', '--actor', 'usr_1', '--since', '2026-11-20T00:00Z');
  const at = localTime(exampleEntry().at);
  expect([code, stdout.split('\n')]).toEqual([
    0,
    [
      `${at}  Sari      key.created   kk_live_1      203.0.113.7`,
      `${at}  midtrans  renewal.paid  kk_live_1      203.0.113.7`,
      `${at}  key Demo  key.created   brc_1 (Promo)  203.0.113.7`,
      'More: kurir audit --group keys --actor usr_1 --since 2026-11-20T00:00Z --cursor aud_0',
      '',
    ],
  ]);
  expect(searchOf(gateway.received[0]?.target)).toEqual({
    group: 'keys',
    actor: 'usr_1',
    since: '2026-11-20T00:00:00.000Z',
  });
});

it('prints the answer of the API as JSON', async () => {
  expect(JSON.parse((await kurir('--json')).stdout)).toEqual({ entries: [exampleEntry()], next_cursor: null });
});

it('says that nothing fits, and prints no control character of a name', async () => {
  gateway.answer({ listAudit: () => ({ entries: [], next_cursor: null }) });
  expect((await kurir()).stdout).toBe('No entries.\n');
  const named = exampleEntry({ actor: { id: 'usr_1', name: '\u001b[31mSari' } });
  gateway.answer({ listAudit: () => ({ entries: [named], next_cursor: null }) });
  expect((await kurir()).stdout).not.toContain('\u001b[31m');
});

it('writes an export to stdout, and passes a refusal on', async () => {
  expect(await kurir('export', '--time-zone', 'Asia/Jakarta')).toMatchObject({
    code: 0,
    stdout: 'at,actor\r\n2026-11-21T09:00:00.000Z,usr_1\r\n',
  });
  expect(gateway.received[0]?.target).toBe('/api/v1/audit/export?time_zone=Asia%2FJakarta');
  gateway.fail(refusal('KEY_NOT_ALLOWED'));
  expect((await kurir('export')).code).toBe(1);
});
