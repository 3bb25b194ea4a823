import type { AccountId, UserId } from '@kurir/contracts';
import type { StandingWatcher } from '@kurir/database';
import type { StreamedAnswer } from '../http/exchange.js';

/** The open streams of the dashboard's pages. `events/live.ts` implements it. */
export interface LivePages {
  /** Writes events to a page until the page or the process closes the stream. Rejects if the account has too many. */
  stream(watcher: {
    readonly who: StandingWatcher;
    readonly userId: UserId;
    readonly lastEventId: string | null;
    readonly streamed: StreamedAnswer;
  }): Promise<void>;
  /** Resolves at the next event of the account, when `signal` is aborted, or after `ms`. */
  news(accountId: AccountId, ms: number, signal: AbortSignal): Promise<void>;
  /**
   * Counts a reader of the feed that stays connected. Call the returned function when it has gone. Throws if the account has
   * too many.
   */
  enter(accountId: AccountId): () => void;
  /** Aborted when the process is about to end. */
  readonly closing: AbortSignal;
  /** Ends all streams. Browsers then connect to another process. */
  close(): void;
}
