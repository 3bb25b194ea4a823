/**
 * One way through the log for a webhook: from its own cursor, or from that of a replay. It holds the events that were
 * read and not sent yet.
 */
import type { EventPosition, LoggedEvent } from '@kurir/database';
import type { WebhookPage } from '@kurir/database/webhooks';
import { createFifo, createSubjectLines, type EventQueue } from './event-queue.js';
import { createLowWater, type LowWater } from './low-water.js';
import { isSequenced } from './matches.js';
import type { QueuedEvent, SequencedEvent } from './queued-event.js';
import type { RenderedEvents } from './render-events.js';

/** With fewer events in the queue, the source asks for a page. */
const lowQueue = 64;

export type SourceOptions = {
  readonly position: EventPosition;
  readonly ordered: boolean;
  readonly isWanted: (event: LoggedEvent) => boolean;
  /** Events of this subject must be stored as waiting: an earlier one waits already. */
  readonly isBlocked: (subjectId: string) => boolean;
};

export class EventSource {
  readonly #options: SourceOptions;
  readonly #queue: EventQueue;
  readonly #lowWater: LowWater;
  #readTo: EventPosition;
  #hasMore = true;

  constructor(options: SourceOptions) {
    this.#options = options;
    this.#queue = options.ordered ? createSubjectLines() : createFifo();
    this.#lowWater = createLowWater(options.position);
    this.#readTo = options.position;
  }

  get wantsMore(): boolean {
    return this.#queue.size < lowQueue;
  }

  /** The last page was not the end of the log. */
  get isBehind(): boolean {
    return this.#hasMore;
  }

  /** The position up to which the log was read. */
  get readTo(): EventPosition {
    return this.#readTo;
  }

  /** The position up to which everything is sent or stored. */
  get low(): EventPosition {
    return this.#lowWater.low;
  }

  /** Takes the page that follows `readTo`. Returns the events that must be stored as waiting. */
  take({ events, next, hasMore }: WebhookPage, rendered: RenderedEvents): QueuedEvent[] {
    const held: QueuedEvent[] = [];
    for (const event of events) {
      if (!isSequenced(event)) continue;
      const shown = this.#options.isWanted(event) ? rendered.get(event) : null;
      if (shown === null) {
        this.#queue.noteSeen(event);
        continue;
      }
      const done = this.#lowWater.add(event.position);
      const queued = this.#queuedOf(event, { ...shown, laterPredecessors: event.laterPredecessors, done });
      // Those of the line that did not go out yet wait with it: one of them may be the later one.
      if (this.#options.isBlocked(event.subjectId)) held.push(queued, ...queued.takeSuccessors());
      else this.#queue.push(queued);
    }
    this.#lowWater.reach(next);
    this.#readTo = next;
    this.#hasMore = hasMore;
    return held;
  }

  #queuedOf(
    event: SequencedEvent,
    {
      done,
      ...parts
    }: Pick<QueuedEvent, 'id' | 'body' | 'traceparent' | 'laterPredecessors'> & { readonly done: () => void },
  ): QueuedEvent {
    const queued: QueuedEvent = {
      event,
      ...parts,
      tries: 0,
      isRetry: false,
      settle: () => {
        done();
        this.#queue.release(event);
      },
      putBack: () => this.#queue.putBack(queued),
      takeSuccessors: () => this.#queue.takeSuccessors(event.subjectId),
    };
    return queued;
  }

  /** Whether an earlier event of the subject was read and is not done. */
  hasEarlier(event: SequencedEvent): boolean {
    return this.#queue.hasEarlier(event);
  }

  next(): QueuedEvent | null {
    return this.#queue.next();
  }
}
