import { waitUntil } from '@kurir/network/conformance';
import { expect, test } from 'vitest';
import { TestBed } from './testing/test-bed.js';
import type { WebVersion } from './web-version.js';

type Versions = { current: WebVersion };

function withVersions(run: (bed: TestBed, versions: Versions) => Promise<void>): () => Promise<void> {
  return async () => {
    const versions: Versions = { current: '2.3000.5' };
    const bed = await TestBed.start({ version: () => versions.current });
    try {
      await run(bed, versions);
    } finally {
      await bed.close();
    }
  };
}

test(
  'a session that is refused for its version says which one that was; the next one asks for the version again',
  withVersions(async (bed, versions) => {
    await bed.link();
    bed.relay.setMinimumVersion('2.3000.6');
    const { ends } = bed.connect();
    // The driver may learn a newer version meanwhile; the refused one is told.
    versions.current = '2.3000.6';
    await waitUntil('the session ended', () => ends.length > 0);
    expect(ends).toEqual([{ reason: 'client_outdated', next: 'wait', until: expect.any(Date), detail: '2.3000.5' }]);
    await bed.connected();
  }),
);

test(
  'linking that is refused for its version fails as that; the next attempt asks for the version again',
  withVersions(async (bed, versions) => {
    bed.relay.setMinimumVersion('2.3000.6');
    expect(await bed.startLinking().end).toEqual({ kind: 'failed', reason: 'client_outdated' });
    const byCode = bed.startLinking('pairing_code');
    expect(await byCode.end).toEqual({ kind: 'failed', reason: 'client_outdated' });
    versions.current = '2.3000.6';
    await bed.link();
  }),
);
