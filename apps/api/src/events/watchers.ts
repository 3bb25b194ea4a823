/**
 * The open streams, and the session and role with which each was opened. `endUnauthorized` ends a stream whose session has
 * ended, whose person has left the account, or whose role has changed. The browser then asks again.
 */
import type { AccountId } from '@kurir/contracts';
import { type Database, readStandingWatchers, type StandingWatcher } from '@kurir/database';
import { sessionMaxSeconds } from '../sign-in/guards/session-age.js';
import type { EventStream } from './event-stream.js';

export type Watchers = {
  add(stream: EventStream, watcher: StandingWatcher): void;
  of(accountId: AccountId): readonly EventStream[];
  readonly accountIds: readonly AccountId[];
  readonly isEmpty: boolean;
  /** One query for all streams. It runs before each reading, so that nobody gets events that are no longer for them. */
  endUnauthorized(): Promise<void>;
  endAll(): void;
};

const keyOf = ({ sessionId, accountId, role }: StandingWatcher) => `${sessionId} ${accountId} ${role}`;

export function createWatchers(database: Database, now: () => number): Watchers {
  const accounts = new Map<AccountId, Map<EventStream, StandingWatcher>>();
  const all = () => [...accounts.values()].flatMap((streams) => [...streams]);

  function forget(stream: EventStream, { accountId }: StandingWatcher): void {
    const streams = accounts.get(accountId);
    streams?.delete(stream);
    if (streams?.size === 0) accounts.delete(accountId);
  }

  return {
    add(stream, watcher) {
      const streams = accounts.get(watcher.accountId) ?? new Map<EventStream, StandingWatcher>();
      accounts.set(watcher.accountId, streams.set(stream, watcher));
      void stream.closed.then(() => forget(stream, watcher));
    },
    of: (accountId) => [...(accounts.get(accountId)?.keys() ?? [])],
    get accountIds() {
      return [...accounts.keys()];
    },
    get isEmpty() {
      return accounts.size === 0;
    },
    async endUnauthorized() {
      const open = all();
      const sessionIds = [...new Set(open.map(([, { sessionId }]) => sessionId))];
      const times = { at: new Date(now()), bornAfter: new Date(now() - sessionMaxSeconds * 1_000) };
      const valid = new Set((await readStandingWatchers(database, sessionIds, times)).map(keyOf));
      for (const [stream, watcher] of open) {
        if (valid.has(keyOf(watcher))) continue;
        forget(stream, watcher);
        stream.end();
      }
    },
    endAll() {
      for (const [stream] of all()) stream.end();
    },
  };
}
