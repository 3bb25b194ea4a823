import type { CredentialStore } from '@kurir/network';
import { waitUntil } from '@kurir/network/conformance';
import { afterEach, expect, test, vi } from 'vitest';
import { withRelayFixture } from '../../test/relay-fixture.js';

const DAY_MS = 24 * 3_600_000;
const DAYS = 44;

afterEach(() => void vi.useRealTimers());

type Day = { readonly rowBytes: number; readonly writtenBytes: number };

/** Measures how many bytes of Signal keys a message writes, and the size of the greatest session row. */
function watchKeys(store: CredentialStore): { readonly store: CredentialStore; take(): Day } {
  let written: { readonly kind: string; readonly bytes: number }[] = [];
  return {
    store: {
      read: (kind, ids) => store.read(kind, ids),
      write: (changes) => {
        written.push(...changes.map(({ kind, value }) => ({ kind, bytes: value?.length ?? 0 })));
        return store.write(changes);
      },
    },
    take: () => {
      const sessions = written.filter(({ kind }) => kind === 'session').map(({ bytes }) => bytes);
      written = [];
      return { rowBytes: Math.max(...sessions), writtenBytes: sessions.reduce((sum, bytes) => sum + bytes, 0) };
    },
  };
}

test(
  `with a message to a contact on each of ${DAYS} days, the last writes no more keys than the second`,
  withRelayFixture(async (fixture) => {
    vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] });
    await fixture.link();
    const { number } = await fixture.person();
    const keys = watchKeys(fixture.credentials);
    const days: Day[] = [];
    const since = fixture.relay.journal.position;
    for (let day = 0; day < DAYS; day += 1) {
      const { session, receipts } = await fixture.connected({ credentials: keys.store });
      expect(await session.send(fixture.message(number))).toEqual({ kind: 'sent' });
      await waitUntil('it was delivered', () => receipts.length > 0);
      keys.take();
      expect(await session.send(fixture.message(number))).toEqual({ kind: 'sent' });
      days.push(keys.take());
      await session.close();
      vi.setSystemTime(Date.now() + DAY_MS + 1);
    }
    const [, second] = days;
    const last = days.at(-1);
    if (second === undefined || last === undefined) throw new Error('no days');
    const used = fixture.relay.journal.counters({ from: fixture.phone.number, since }).oneTimePreKeysUsed;
    console.log(
      `keys of one contact: greatest row ${second.rowBytes} B on day 2, ${last.rowBytes} B on day ${DAYS}; ` +
        `written per message ${second.writtenBytes} B and ${last.writtenBytes} B; pre-keys of others used: ${used}`,
    );
    expect(last.rowBytes).toBeLessThanOrEqual(second.rowBytes * 1.05);
    expect(last.writtenBytes).toBeLessThanOrEqual(second.writtenBytes * 1.05);
  }),
);
