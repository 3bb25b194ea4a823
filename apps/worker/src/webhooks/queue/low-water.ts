/**
 * The place up to which everything is done, among events that end in any order. Only this place is stored, so after a
 * crash the events above it are sent again, under their ids.
 */
import type { EventPosition } from '@kurir/database';

type Entry = { position: EventPosition; isDone: boolean };

export type LowWater = {
  /** All events up to here are done. */
  readonly low: EventPosition;
  /** Adds an event that must be sent. Call the returned function when it is done. */
  add(position: EventPosition): () => void;
  /** Nothing between the last event and this position needs work. */
  reach(position: EventPosition): void;
};

export function createLowWater(start: EventPosition): LowWater {
  const entries: Entry[] = [];
  let low = start;

  function settle(): void {
    let count = 0;
    for (const entry of entries) {
      if (!entry.isDone) break;
      low = entry.position;
      count++;
    }
    entries.splice(0, count);
  }

  function add(position: EventPosition): () => void {
    const entry = { position, isDone: false };
    entries.push(entry);
    return () => {
      entry.isDone = true;
      if (entries[0] === entry) settle();
    };
  }

  return {
    get low() {
      return low;
    },
    add,
    reach(position) {
      const last = entries.at(-1);
      // While one event is not done, the log may grow by millions of others.
      if (last?.isDone === true) last.position = position;
      else add(position)();
    },
  };
}
