/**
 * The events of one webhook that have a row for another try. Postgres has the rows; this is what the reader knows of
 * them: which ones wait, by subject, and which ones it sends now.
 */
import type { EventPosition } from '@kurir/database';
import type { DueRetry, WaitingRetry } from '@kurir/database/webhooks';
import { isSequenced } from './matches.js';
import type { QueuedEvent } from './queued-event.js';
import type { RenderedEvent } from './render-events.js';

/** The most that are sent or queued at once. */
const mostActive = 32;

type Row = Pick<WaitingRetry, 'subjectId' | 'position'>;

const keyOf = ({ generation, xid, seq }: EventPosition): string => `${generation} ${xid} ${seq}`;

export class Retries {
  readonly #waiting = new Map<string, Set<string>>();
  #total = 0;
  readonly #queue: QueuedEvent[] = [];
  /** Queued or in flight. */
  readonly #active = new Set<string>();
  /** Their tries ended while rows were being read, so what was read of them may be old. */
  #endedMeanwhile = new Set<string>();
  /** Probes of these failed, so others are probed before them. */
  readonly #probed = new Set<string>();

  constructor(rows: readonly Row[]) {
    for (const row of rows) this.wait(row);
  }

  /** The number of events that wait for another try. */
  get total(): number {
    return this.#total;
  }

  /** Whether an event of this subject waits. */
  has(subjectId: string): boolean {
    return this.#waiting.has(subjectId);
  }

  /** The event has a row, or gets one. */
  wait({ subjectId, position }: Row): void {
    const ofSubject = this.#waiting.get(subjectId) ?? new Set();
    this.#waiting.set(subjectId, ofSubject);
    if (ofSubject.has(keyOf(position))) return;
    ofSubject.add(keyOf(position));
    this.#total++;
  }

  /** The event has no row any more, or is out of tries. */
  forget({ subjectId, position }: Row): void {
    const ofSubject = this.#waiting.get(subjectId);
    if (ofSubject?.delete(keyOf(position)) !== true) return;
    this.#total--;
    if (ofSubject.size === 0) this.#waiting.delete(subjectId);
  }

  /** Returns what the next reading of rows leaves out, and how many it may return. */
  beginReading(): { readonly except: readonly string[]; readonly limit: number } {
    this.#endedMeanwhile = new Set();
    return { except: [...this.#active, ...this.#probed], limit: mostActive - this.#active.size };
  }

  /** Takes a row that was read. It goes out once, also if it was read twice. */
  take({ event, position, subjectId, tries }: DueRetry, shown: RenderedEvent): void {
    const key = keyOf(position);
    if (event === null || !isSequenced(event) || this.#active.has(key) || this.#endedMeanwhile.has(key)) return;
    this.wait({ subjectId, position });
    this.#active.add(key);
    const end = () => {
      this.#active.delete(key);
      this.#endedMeanwhile.add(key);
    };
    const putBack = () => {
      this.#probed.add(key);
      end();
    };
    this.#queue.push({
      event,
      ...shown,
      tries,
      isRetry: true,
      laterPredecessors: [],
      settle: end,
      putBack,
      takeSuccessors: () => [],
    });
  }

  next(): QueuedEvent | null {
    return this.#queue.shift() ?? null;
  }

  /** The events whose probes failed may be probed again. */
  startOver(): void {
    this.#probed.clear();
  }
}
