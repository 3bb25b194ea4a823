/**
 * The journal on disk: lines of JSON, appended in order, numbered from 1 without gaps.
 *
 * All entries of one turn of the event loop are written with one `write`, before the callbacks of `afterWrite` run. So
 * everything that the network has acknowledged survives a kill -9 of this process, but not a power cut, because there
 * is no fsync. Opening an existing file passes each earlier entry to `onEntry`. A last line that a kill left incomplete
 * is cut off. Only one process at a time may open a file. Without a file name the journal is a temporary file, which
 * `close` deletes.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type JournalEntry, journalEntry, type NewJournalEntry } from './journal-entry.js';
import { readLines } from './read-lines.js';

const LINES_PER_MARK = 1_000;

export type JournalPage = {
  /** The lines as they are in the file; each is a JSON object. */
  readonly lines: readonly string[];
  /** The `after` for the next page. */
  readonly nextAfter: number;
};

export class Journal {
  readonly #file: string;
  readonly #temporary: boolean;
  readonly #fd: number;
  /** The byte offsets of the first entry and of every `LINES_PER_MARK`th one after it. */
  readonly #marks: number[] = [];
  #last = 0;
  #size = 0;
  #pending: string[] = [];
  #afterWrite: (() => void)[] = [];
  #scheduled = false;
  #closed = false;

  private constructor(file: string, temporary: boolean) {
    this.#file = file;
    this.#temporary = temporary;
    mkdirSync(dirname(file), { recursive: true });
    this.#fd = openSync(file, 'a+');
  }

  /** Opens or creates the file and replays it. Rejects when a complete line is no journal entry. */
  static async open(file: string | undefined, onEntry: (entry: JournalEntry) => void): Promise<Journal> {
    const journal = new Journal(file ?? join(tmpdir(), `kurir-simulator-${randomUUID()}.jsonl`), file === undefined);
    await journal.#replay(onEntry);
    return journal;
  }

  /** Gives the entry its number and time, and queues its line. */
  append<Entry extends NewJournalEntry>(entry: Entry): Entry & { n: number; at: string } {
    this.#last += 1;
    const stamped = { n: this.#last, at: new Date().toISOString(), ...entry };
    this.#mark(this.#size);
    const line = `${JSON.stringify(stamped)}\n`;
    this.#size += Buffer.byteLength(line);
    this.#pending.push(line);
    this.#schedule();
    return stamped;
  }

  /** Runs the callback when all entries so far are in the file. */
  afterWrite(callback: () => void): void {
    this.#afterWrite.push(callback);
    this.#schedule();
  }

  /** Returns at most `limit` entries after `after`, oldest first. With `deviceId`, only entries of this device. */
  async read(after: number, limit: number, deviceId?: string): Promise<JournalPage> {
    this.flush();
    const until = this.#last;
    const markIndex = Math.floor(after / LINES_PER_MARK);
    const start = this.#marks[markIndex];
    if (start === undefined || after >= until) return { lines: [], nextAfter: Math.max(0, Math.min(after, until)) };
    const lines: string[] = [];
    let n = markIndex * LINES_PER_MARK;
    for await (const line of readLines(this.#file, start)) {
      n += 1;
      if (n > after && (deviceId === undefined || isOfDevice(line, deviceId))) lines.push(line);
      if (n >= until || lines.length >= limit) break;
    }
    return { lines, nextAfter: n };
  }

  /** Writes all queued lines now. */
  flush(): void {
    if (this.#closed) return;
    const bytes = Buffer.from(this.#pending.join(''));
    this.#pending = [];
    for (let written = 0; written < bytes.length; ) written += writeSync(this.#fd, bytes, written);
    const callbacks = this.#afterWrite;
    this.#afterWrite = [];
    for (const callback of callbacks) callback();
  }

  close(): void {
    if (this.#closed) return;
    this.flush();
    this.#closed = true;
    closeSync(this.#fd);
    if (this.#temporary) rmSync(this.#file, { force: true });
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.flush();
    });
  }

  #mark(offset: number): void {
    if ((this.#last - 1) % LINES_PER_MARK === 0) this.#marks.push(offset);
  }

  async #replay(onEntry: (entry: JournalEntry) => void): Promise<void> {
    for await (const line of readLines(this.#file, 0)) {
      const entry = parseEntry(line, this.#last + 1, this.#file);
      this.#last += 1;
      this.#mark(this.#size);
      this.#size += Buffer.byteLength(line) + 1;
      onEntry(entry);
    }
    if (this.#size < fstatSync(this.#fd).size) ftruncateSync(this.#fd, this.#size);
  }
}

function parseEntry(line: string, expected: number, file: string): JournalEntry {
  try {
    const entry = journalEntry.parse(JSON.parse(line));
    if (entry.n !== expected) throw new Error(`its number is ${entry.n}`);
    return entry;
  } catch (cause) {
    throw new Error(`line ${expected} of the journal ${file} is not entry ${expected}`, { cause });
  }
}

function isOfDevice(line: string, deviceId: string): boolean {
  // The cheap test first: most lines of other devices do not contain the text.
  if (!line.includes(deviceId)) return false;
  const entry: unknown = JSON.parse(line);
  return typeof entry === 'object' && entry !== null && 'device_id' in entry && entry.device_id === deviceId;
}
