/**
 * Whose streams are open, and with which session and role each was opened. `letGo` ends those whose session has ended,
 * whose person has left the account, or whose role is another now: the browser asks again, and is answered as it stands.
 */
import type { AccountId } from '@kurir/contracts';
import { type Database, readStandingWatchers, type StandingWatcher } from '@kurir/database';
import { sessionMaxSeconds } from '../sign-in/create-sign-in.js';
import type { EventStream } from './event-stream.js';

export type Watchers = {
  add(stream: EventStream, watcher: StandingWatcher): void;
  of(accountId: AccountId): readonly EventStream[];
  readonly accountIds: readonly AccountId[];
  readonly isEmpty: boolean;
  /** One question for all streams. Asked before each reading, it keeps what is read from whom it is not for any more. */
  letGo(): Promise<void>;
  endAll(): void;
};

const keyOf = ({ sessionId, accountId, role }: StandingWatcher) => `${sessionId} ${accountId} ${role}`;

export function createWatchers(database: Database, now: () => number): Watchers {
  const accounts = new Map<AccountId, Map<EventStream, StandingWatcher>>();
  const all = () => [...accounts.values()].flatMap((own) => [...own]);

  function forget(stream: EventStream, { accountId }: StandingWatcher): void {
    const own = accounts.get(accountId);
    own?.delete(stream);
    if (own?.size === 0) accounts.delete(accountId);
  }

  return {
    add(stream, watcher) {
      const own = accounts.get(watcher.accountId) ?? new Map<EventStream, StandingWatcher>();
      accounts.set(watcher.accountId, own.set(stream, watcher));
      void stream.over.then(() => forget(stream, watcher));
    },
    of: (accountId) => [...(accounts.get(accountId)?.keys() ?? [])],
    get accountIds() {
      return [...accounts.keys()];
    },
    get isEmpty() {
      return accounts.size === 0;
    },
    async letGo() {
      const asked = all();
      const sessionIds = [...new Set(asked.map(([, { sessionId }]) => sessionId))];
      const times = { at: new Date(now()), bornAfter: new Date(now() - sessionMaxSeconds * 1_000) };
      const standing = new Set((await readStandingWatchers(database, sessionIds, times)).map(keyOf));
      for (const [stream, watcher] of asked) {
        if (standing.has(keyOf(watcher))) continue;
        forget(stream, watcher);
        stream.end();
      }
    },
    endAll() {
      for (const [stream] of all()) stream.end();
    },
  };
}
