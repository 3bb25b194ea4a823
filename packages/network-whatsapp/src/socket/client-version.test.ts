import { waitUntil } from '@kurir/network/conformance';
import { expect, test } from 'vitest';
import { RelayFixture } from '../../test/relay-fixture.js';
import type { WebVersion } from './web-version.js';

type Versions = { current: WebVersion };

function withVersions(run: (fixture: RelayFixture, versions: Versions) => Promise<void>): () => Promise<void> {
  return async () => {
    const versions: Versions = { current: '2.3000.5' };
    const fixture = await RelayFixture.start({ version: () => versions.current });
    try {
      await run(fixture, versions);
    } finally {
      await fixture.close();
    }
  };
}

test(
  'a session that is refused for its version names that version; the next session asks for the version again',
  withVersions(async (fixture, versions) => {
    await fixture.link();
    fixture.relay.setMinimumVersion('2.3000.6');
    const { ends } = fixture.connect();
    // The driver may learn a newer version during the session. The end names the refused one.
    versions.current = '2.3000.6';
    await waitUntil('the session ended', () => ends.length > 0);
    expect(ends).toEqual([{ reason: 'client_outdated', next: 'wait', until: expect.any(Date), detail: '2.3000.5' }]);
    await fixture.connected();
  }),
);

test(
  'linking that is refused for its version fails as client_outdated; the next attempt asks for the version again',
  withVersions(async (fixture, versions) => {
    fixture.relay.setMinimumVersion('2.3000.6');
    expect(await fixture.startLinking().end).toEqual({ kind: 'failed', reason: 'client_outdated' });
    const byCode = fixture.startLinking('pairing_code');
    expect(await byCode.end).toEqual({ kind: 'failed', reason: 'client_outdated' });
    versions.current = '2.3000.6';
    await fixture.link();
  }),
);
