/**
 * The supervisor's journal, one JSON line for each step. A step counts only when its line is on disk, and a resumed run
 * continues from there. An incomplete last line is dropped.
 */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import type { FaultKind } from '../plan/plan-faults.js';

export type JournalEntry =
  | { readonly kind: 'begun'; readonly at: number; readonly seed: string; readonly faults: number }
  | { readonly kind: 'resumed'; readonly at: number }
  | { readonly kind: 'fault_begun'; readonly at: number; readonly index: number; readonly fault: FaultKind }
  | {
      readonly kind: 'fault_ended';
      readonly at: number;
      readonly index: number;
      readonly fault: FaultKind;
      readonly remark: string;
    }
  | { readonly kind: 'worker_killed'; readonly at: number }
  | { readonly kind: 'load_began'; readonly at: number }
  | { readonly kind: 'load_ended'; readonly at: number };

type Unstamped<Entry> = Entry extends JournalEntry ? Omit<Entry, 'at'> : never;

export type RunJournal = {
  readonly entries: readonly JournalEntry[];
  /** Returns when the entry is on disk. */
  write(entry: Unstamped<JournalEntry>): void;
  close(): void;
};

function readEntries(path: string): JournalEntry[] {
  if (!existsSync(path)) return [];
  const text = readFileSync(path, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole));
  // Only complete lines of this program are left.
  return whole.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as JournalEntry]));
}

export function openRunJournal(path: string): RunJournal {
  const entries = readEntries(path);
  const file = openSync(path, 'a');
  return {
    entries,
    write(entry) {
      const stamped = { at: Date.now(), ...entry };
      writeSync(file, `${JSON.stringify(stamped)}\n`);
      fsyncSync(file);
      entries.push(stamped);
    },
    close: () => closeSync(file),
  };
}
