/**
 * The queue of an ordered webhook: a line for each subject, in the order of `sequence`. A line has one event in flight.
 * Memory only; the log has everything that stands here.
 */
import type { QueuedEvent, SequencedEvent } from './queued-event.js';

export type EventQueue = {
  readonly size: number;
  push(queued: QueuedEvent): void;
  /** The next event that may go, or null. */
  next(): QueuedEvent | null;
  /** This event ended. */
  release(event: SequencedEvent): void;
  /** Whether an earlier event of the subject stands here or is in flight. */
  hasEarlier(event: SequencedEvent): boolean;
  /** Others go before this one, unless they must wait for it. */
  putBack(queued: QueuedEvent): void;
  /** The reader has seen this event and does not send it. */
  noteSeen(event: SequencedEvent): void;
  /** Removes and returns all that wait in the line of the subject. */
  takeSuccessors(subjectId: string): QueuedEvent[];
};

type Line = {
  waiting: QueuedEvent[];
  /** The sequence that is in flight. */
  current: number | null;
  /** The sequences that the reader has seen since the line began. */
  readonly seen: Set<number>;
};

function mayGo({ waiting: [first], current, seen }: Line): boolean {
  return current === null && first !== undefined && first.laterPredecessors.every((sequence) => seen.has(sequence));
}

export function createSubjectLines(): EventQueue {
  const lines = new Map<string, Line>();
  let size = 0;

  function lineOf(subjectId: string): Line {
    const line = lines.get(subjectId) ?? { waiting: [], current: null, seen: new Set() };
    lines.set(subjectId, line);
    return line;
  }

  function insert(queued: QueuedEvent): Line {
    const line = lineOf(queued.event.subjectId);
    line.waiting = [...line.waiting, queued].sort((a, b) => a.event.sequence - b.event.sequence);
    size++;
    return line;
  }

  return {
    get size() {
      return size;
    },
    push(queued) {
      insert(queued).seen.add(queued.event.sequence);
    },
    next() {
      for (const line of lines.values()) {
        if (!mayGo(line)) continue;
        const first = line.waiting.shift() ?? null;
        line.current = first?.event.sequence ?? null;
        size--;
        return first;
      }
      return null;
    },
    release({ subjectId, sequence }) {
      const line = lines.get(subjectId);
      if (line === undefined) return;
      if (line.current === sequence) line.current = null;
      if (line.current === null && line.waiting.length === 0) lines.delete(subjectId);
    },
    hasEarlier({ subjectId, sequence }) {
      const line = lines.get(subjectId);
      const [first] = line?.waiting ?? [];
      return [line?.current, first?.event.sequence].some((other) => typeof other === 'number' && other < sequence);
    },
    putBack(queued) {
      const { subjectId } = queued.event;
      const line = insert(queued);
      line.current = null;
      // The lines are asked in their order.
      lines.delete(subjectId);
      lines.set(subjectId, line);
    },
    noteSeen({ subjectId, sequence }) {
      lines.get(subjectId)?.seen.add(sequence);
    },
    takeSuccessors(subjectId) {
      const line = lines.get(subjectId);
      const removed = line?.waiting ?? [];
      if (line !== undefined) line.waiting = [];
      size -= removed.length;
      return removed;
    },
  };
}

/** The queue of a parallel webhook: first in, first out. */
export function createFifo(): EventQueue {
  const waiting: QueuedEvent[] = [];
  return {
    get size() {
      return waiting.length;
    },
    push: (queued) => void waiting.push(queued),
    next: () => waiting.shift() ?? null,
    release: () => undefined,
    hasEarlier: () => false,
    putBack: (queued) => void waiting.push(queued),
    noteSeen: () => undefined,
    takeSuccessors: () => [],
  };
}
