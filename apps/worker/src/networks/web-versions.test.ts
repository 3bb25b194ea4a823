/** Which version of the web client is in use, and how a pinned version and a refusal change that. */
import { builtInVersion } from '@kurir/network-whatsapp';
import { describe, expect, test } from 'vitest';
import { builtIn, useWebVersionsFixture } from '../../test/web-versions-fixture.js';
import { showVersionInUse, type WebVersions } from './web-versions.js';

const fixture = useWebVersionsFixture();
const live = new AbortController().signal;

/** Counts the changes of the version in use. */
function countChanges(versions: WebVersions): () => number {
  let changes = 0;
  versions.onChange(() => void (changes += 1));
  return () => changes;
}

describe('the version in use', () => {
  test('is the built-in one until a lookup finds a newer one', async () => {
    const versions = await fixture().open();
    expect(versions.inUse).toMatchObject({ version: builtIn, source: 'built-in' });
    const changes = countChanges(versions);
    await versions.tend(live);
    expect(versions.inUse).toMatchObject({ version: '2.3000.200', source: 'web-client' });
    expect(changes()).toBe(1);
    await versions.tend(live);
    expect([changes(), fixture().webClient.requests]).toEqual([1, 1]);
  });

  test('is stored: a worker that starts later uses it without a lookup', async () => {
    await fixture().openAndTend();
    const later = await fixture().open();
    expect(later.current()).toBe('2.3000.200');
    await later.tend(live);
    expect(fixture().webClient.requests).toBe(1);
  });

  test('stays the built-in one if a lookup finds an older one', async () => {
    fixture().webClient.say('2.3000.99');
    const versions = await fixture().openAndTend();
    expect(versions.inUse).toMatchObject({ version: builtIn, source: 'built-in' });
    expect(fixture().webClient.requests).toBe(1);
    expect((await fixture().open({ builtIn: '2.3000.98' })).current()).toBe(builtIn);
  });

  test('goes back if WhatsApp withdraws a version, and devices that were refused with it connect at once', async () => {
    const versions = await fixture().openAndTend();
    const changes = countChanges(versions);
    fixture().webClient.say('2.3000.150');
    await fixture().passTime('2 days');
    await versions.tend(live);
    expect([versions.current(), changes()]).toEqual(['2.3000.150', 1]);
    versions.refused('2.3000.200');
    expect([changes(), versions.inUse.refusedAt]).toEqual([2, null]);
    expect((await fixture().open()).current()).toBe('2.3000.150');
  });

  test('of a newer release is taken over by older workers', async () => {
    const older = await fixture().openAndTend();
    await fixture().open({ builtIn: '2.3000.300' });
    await older.tend(live);
    expect(older.inUse).toMatchObject({ version: '2.3000.300', source: 'built-in' });
  });
});

describe('a pinned version', () => {
  test('is used even if a newer one is known, and nothing is looked up', async () => {
    await fixture().openAndTend();
    const pinned = await fixture().openAndTend({ pinned: '2.3000.150' });
    pinned.refused('2.3000.150');
    await fixture().passTime('1 day');
    await pinned.tend(live);
    expect(pinned.inUse).toMatchObject({ version: '2.3000.150', source: 'setting' });
    expect(fixture().webClient.requests).toBe(1);
    expect(fixture().warnings).toEqual([]);
  });

  test('that is older than the built-in one is used with a warning, and other workers do not take it over', async () => {
    expect((await fixture().openAndTend({ pinned: '2.3000.99' })).current()).toBe('2.3000.99');
    expect(fixture().warnings).toEqual([expect.stringContaining('KURIR_WHATSAPP_VERSION is older')]);
    await fixture().openAndTend({ pinned: '2.3000.900' });
    expect((await fixture().open()).current()).toBe(builtIn);
  });
});

describe('after a refusal', () => {
  test('the worker looks the version up at once, but only once in a quarter of an hour', async () => {
    const versions = await fixture().openAndTend();
    const { webClient } = fixture();
    webClient.say('2.3000.201');
    versions.refused('2.3000.200');
    expect(versions.inUse.refusedAt).toBeInstanceOf(Date);
    await versions.tend(live);
    expect([versions.current(), webClient.requests]).toEqual(['2.3000.200', 1]);
    await fixture().passTime('16 minutes');
    await versions.tend(live);
    expect(versions.inUse).toMatchObject({ version: '2.3000.201', refusedAt: null });
    versions.refused('2.3000.201');
    await versions.tend(live);
    expect(webClient.requests).toBe(2);
  });

  test('of a version that is no longer in use, the device connects at once with the newer one', async () => {
    const versions = await fixture().openAndTend();
    const changes = countChanges(versions);
    versions.refused(builtIn);
    expect([changes(), versions.inUse.refusedAt]).toEqual([1, null]);
    versions.refused('2.3000.200');
    versions.refused('nonsense');
    expect(changes()).toBe(1);
  });
});

test('the health endpoint counts the days since this gateway first saw the version', async () => {
  await fixture().openAndTend();
  const ago = `now() - interval '12 days 5 hours'`;
  await fixture().database.pool.query(`UPDATE whatsapp_versions SET first_seen_at = ${ago}`);
  const { firstSeenAt, version } = (await fixture().open()).inUse;
  expect(showVersionInUse((await fixture().open()).inUse)).toEqual({
    version,
    source: 'web-client',
    first_seen_at: firstSeenAt.toISOString(),
    days_since_first_seen: 12,
    refused_at: null,
  });
});

test('the built-in version is one that may be stored', async () => {
  expect((await fixture().open({ builtIn: builtInVersion })).current()).toBe(builtInVersion);
});
