import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useDatabaseFixture } from '../../test/database-fixture.js';
import { type Database, openDatabase } from '../postgres/connect.js';
import {
  claimVersionLookup,
  noteWhatsappVersion,
  readWhatsappVersions,
  storeLearnedVersion,
} from './whatsapp-versions.js';

const fixture = useDatabaseFixture();

/** A second worker process. */
let other: Database;
beforeAll(async () => {
  other = openDatabase({ url: fixture().url, poolSize: 5 });
  const { accountId } = await fixture().tenant();
  await fixture().device(accountId);
});
afterAll(() => other.close());

beforeEach(async () => {
  await fixture().query('DELETE FROM whatsapp_versions');
  await fixture().query('DELETE FROM whatsapp_version_lookups');
  await fixture().query(`UPDATE devices SET network = 'whatsapp', proxy_sealed = NULL`);
});

const note = (version: string, source: 'built-in' | 'setting' = 'built-in') =>
  noteWhatsappVersion(fixture().database, version, source);
const learn = (version: string) => storeLearnedVersion(fixture().database, version);
const newest = async () => (await readWhatsappVersions(fixture().database)).current;
const isDue = async () => (await readWhatsappVersions(fixture().database)).isLookupDue;
const claim = ({ isUrgent = false, unlessProxied = false } = {}, database = fixture().database) =>
  claimVersionLookup(database, { isUrgent, unlessProxied });
const passTime = (minutes: number) =>
  fixture().query(
    `UPDATE whatsapp_version_lookups
     SET asked_at = asked_at - make_interval(mins => $1), due_at = due_at - make_interval(mins => $1)`,
    [minutes],
  );

describe('of the versions that were seen', () => {
  test('the one that the web client said last counts, or a greater built-in one', async () => {
    expect(await newest()).toBeNull();
    await note('2.3000.1043857760');
    await learn('2.3000.999999999');
    expect(await newest()).toMatchObject({ version: '2.3000.1043857760', source: 'built-in' });
    await learn('2.3000.1050000000');
    expect(await newest()).toMatchObject({ version: '2.3000.1050000000', source: 'web-client' });
    await note('10.0.0');
    expect(await newest()).toMatchObject({ version: '10.0.0' });
  });

  test('one that the web client said before counts no more when it says an older one: it was withdrawn', async () => {
    await note('2.3000.1');
    for (const said of ['2.3000.8', '2.3000.9', '2.3000.8']) {
      await learn(said);
      expect(await newest()).toMatchObject({ version: said });
      await fixture().query(`UPDATE whatsapp_versions SET said_at = said_at - interval '1 day'`);
    }
    await note('2.3000.9');
    expect(await newest()).toMatchObject({ version: '2.3000.9', source: 'built-in' });
  });

  test('one that is pinned somewhere counts for nobody else, until the web client says it', async () => {
    await note('2.3000.1');
    expect(await note('2.3000.9', 'setting')).toMatchObject({ version: '2.3000.9', source: 'setting' });
    expect(await newest()).toMatchObject({ version: '2.3000.1' });
    await learn('2.3000.9');
    expect(await newest()).toMatchObject({ version: '2.3000.9', source: 'web-client' });
    await note('2.3000.9', 'setting');
    expect(await newest()).toMatchObject({ version: '2.3000.9' });
  });

  test('each keeps the time at which it was first seen', async () => {
    await note('2.3000.1');
    await fixture().query(`UPDATE whatsapp_versions SET first_seen_at = '2026-07-26'`);
    await learn('2.3000.1');
    expect(await note('2.3000.1')).toMatchObject({ firstSeenAt: new Date('2026-07-26') });
  });

  test.each(['', '2.3000', '2.3000.x', '2.3000.1; --', '2.3000.12345678901'])('%j is none', async (rubbish) => {
    await expect(learn(rubbish)).rejects.toThrow('whatsapp_versions_form');
  });
});

describe('a lookup', () => {
  test('belongs to one of many workers that want it at the same time', async () => {
    const wishes = Array.from({ length: 20 }, (_, i) => claim({ isUrgent: true }, i % 2 ? other : fixture().database));
    const answers = await Promise.all(wishes);
    expect(answers.filter((answer) => answer === 'yours')).toHaveLength(1);
    expect(answers.filter((answer) => answer === 'not-now')).toHaveLength(19);
  });

  test('that learned the version is due again after a day, more or less', async () => {
    expect(await isDue()).toBe(true);
    expect(await claim()).toBe('yours');
    expect(await isDue()).toBe(false);
    await learn('2.3000.1');
    await passTime(22 * 60);
    expect([await isDue(), await claim()]).toEqual([false, 'not-now']);
    await passTime(3 * 60 + 1);
    expect([await isDue(), await claim()]).toEqual([true, 'yours']);
  });

  test('whose worker died, or that learned nothing, is made again after an hour', async () => {
    expect(await claim()).toBe('yours');
    await passTime(59);
    expect(await claim()).toBe('not-now');
    await passTime(2);
    expect(await claim()).toBe('yours');
  });

  test('of a device that was refused waits for a quarter of an hour after the last one, and for no more', async () => {
    expect(await claim({ isUrgent: true })).toBe('yours');
    await learn('2.3000.1');
    await passTime(14);
    expect(await claim({ isUrgent: true })).toBe('not-now');
    expect(await isDue()).toBe(false);
    await passTime(2);
    // Whichever worker looks first: the wish is stored.
    expect(await isDue()).toBe(true);
    expect(await claim({}, other)).toBe('yours');
    expect(await claim({ isUrgent: true })).toBe('not-now');
  });

  test('is not made while no device is of WhatsApp', async () => {
    await fixture().query(`UPDATE devices SET network = 'simulator'`);
    expect(await claim({ isUrgent: true })).toBe('no-device');
    await fixture().query(`UPDATE devices SET network = 'whatsapp'`);
    expect(await claim()).toBe('yours');
  });

  test('is not made from the worker itself while one device has a proxy, unless that is wanted', async () => {
    await fixture().query(`UPDATE devices SET proxy_sealed = 'x' WHERE id = (SELECT min(id) FROM devices)`);
    expect(await claim({ isUrgent: true, unlessProxied: true })).toBe('proxied');
    expect(await claim({ isUrgent: true })).toBe('yours');
    await fixture().query(`UPDATE devices SET network = 'simulator' WHERE proxy_sealed IS NOT NULL`);
    await passTime(16);
    expect(await claim({ isUrgent: true, unlessProxied: true })).toBe('yours');
  });
});
