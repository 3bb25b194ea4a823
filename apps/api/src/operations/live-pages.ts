import type { UserId } from '@kurir/contracts';
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
  /** Ends all streams. Browsers then connect to another process. */
  close(): void;
}
