/** An event that is to be sent to a webhook, with the body that every try sends. */
import type { LoggedEvent } from '@kurir/database';

export type SequencedEvent = LoggedEvent & { readonly sequence: number };

export type QueuedEvent = {
  readonly event: SequencedEvent;
  /** The id of the event, which every try carries. */
  readonly id: string;
  readonly body: string;
  /** The span that accepted the message of the event. Null: it is not traced. */
  readonly traceparent: string | null;
  /** The tries so far. */
  readonly tries: number;
  /** It has a row in `webhook_retries`. */
  readonly isRetry: boolean;
  /** Sequences of the subject that must come before, although they stand later in the log. */
  readonly laterPredecessors: readonly number[];
  /** The event was taken or stored. The next one of its subject may go. */
  readonly settle: () => void;
  /** A probe of it failed: it waits for another probe. Others go first, unless they must wait for it. */
  readonly putBack: () => void;
  /** Removes and returns the later events of its subject, which must wait for it. */
  readonly takeSuccessors: () => QueuedEvent[];
};
