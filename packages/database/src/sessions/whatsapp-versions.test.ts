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

/** The database of another worker process. */
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

describe('the known versions', () => {
  test('include as current the last one from the web client, or a greater built-in one', async () => {
    expect(await newest()).toBeNull();
    await note('2.3000.1043857760');
    await learn('2.3000.999999999');
    expect(await newest()).toMatchObject({ version: '2.3000.1043857760', source: 'built-in' });
    await learn('2.3000.1050000000');
    expect(await newest()).toMatchObject({ version: '2.3000.1050000000', source: 'web-client' });
    await note('10.0.0');
    expect(await newest()).toMatchObject({ version: '10.0.0' });
  });

  test('drop a withdrawn one when the web client returns to an older one', async () => {
    await note('2.3000.1');
    for (const said of ['2.3000.8', '2.3000.9', '2.3000.8']) {
      await learn(said);
      expect(await newest()).toMatchObject({ version: said });
      await fixture().query(`UPDATE whatsapp_versions SET said_at = said_at - interval '1 day'`);
    }
    await note('2.3000.9');
    expect(await newest()).toMatchObject({ version: '2.3000.9', source: 'built-in' });
  });

  test("ignore one from another worker's setting, until the web client reports it", async () => {
    await note('2.3000.1');
    expect(await note('2.3000.9', 'setting')).toMatchObject({ version: '2.3000.9', source: 'setting' });
    expect(await newest()).toMatchObject({ version: '2.3000.1' });
    await learn('2.3000.9');
    expect(await newest()).toMatchObject({ version: '2.3000.9', source: 'web-client' });
    await note('2.3000.9', 'setting');
    expect(await newest()).toMatchObject({ version: '2.3000.9' });
  });

  test('keep the time at which each was first seen', async () => {
    await note('2.3000.1');
    await fixture().query(`UPDATE whatsapp_versions SET first_seen_at = '2026-07-26'`);
    await learn('2.3000.1');
    expect(await note('2.3000.1')).toMatchObject({ firstSeenAt: new Date('2026-07-26') });
  });

  test.each(['', '2.3000', '2.3000.x', '2.3000.1; --', '2.3000.12345678901'])('do not include %j', async (rubbish) => {
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

  test('that learned the version is due again after about a day', async () => {
    expect(await isDue()).toBe(true);
    expect(await claim()).toBe('yours');
    expect(await isDue()).toBe(false);
    await learn('2.3000.1');
    await passTime(22 * 60);
    expect([await isDue(), await claim()]).toEqual([false, 'not-now']);
    await passTime(3 * 60 + 1);
    expect([await isDue(), await claim()]).toEqual([true, 'yours']);
  });

  test('whose worker died, or that learned nothing, is repeated after an hour', async () => {
    expect(await claim()).toBe('yours');
    await passTime(59);
    expect(await claim()).toBe('not-now');
    await passTime(2);
    expect(await claim()).toBe('yours');
  });

  test('for a refused device waits only a quarter of an hour after the last one', async () => {
    expect(await claim({ isUrgent: true })).toBe('yours');
    await learn('2.3000.1');
    await passTime(14);
    expect(await claim({ isUrgent: true })).toBe('not-now');
    expect(await isDue()).toBe(false);
    await passTime(2);
    // The wish is stored, so any worker may look first.
    expect(await isDue()).toBe(true);
    expect(await claim({}, other)).toBe('yours');
    expect(await claim({ isUrgent: true })).toBe('not-now');
  });

  test('does not run while there is no WhatsApp device', async () => {
    await fixture().query(`UPDATE devices SET network = 'simulator'`);
    expect(await claim({ isUrgent: true })).toBe('no-device');
    await fixture().query(`UPDATE devices SET network = 'whatsapp'`);
    expect(await claim()).toBe('yours');
  });

  test('does not run while a device has a proxy, unless the setting allows it', async () => {
    await fixture().query(`UPDATE devices SET proxy_sealed = 'x' WHERE id = (SELECT min(id) FROM devices)`);
    expect(await claim({ isUrgent: true, unlessProxied: true })).toBe('proxied');
    expect(await claim({ isUrgent: true })).toBe('yours');
    await fixture().query(`UPDATE devices SET network = 'simulator' WHERE proxy_sealed IS NOT NULL`);
    await passTime(16);
    expect(await claim({ isUrgent: true, unlessProxied: true })).toBe('yours');
  });
});
