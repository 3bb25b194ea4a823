/**
 * Runs one import: reads its upload from the beginning and stores batches with their place. A run after a killed one
 * passes over the stored rows, and learns their numbers again, so that later duplicates are told.
 */
import { setImmediate as otherWork } from 'node:timers/promises';
import { limits } from '@kurir/contracts';
import type { AccountKeys, Database } from '@kurir/database';
import {
  endImport,
  type ImportCounts,
  type ImportedContact,
  type ImportView,
  type Refusal,
  storeBatch,
} from '@kurir/database/contacts';
import { deleteUpload, readUploadBytes } from '@kurir/database/uploads';
import { type FileRow, openRows, type RowFile, RowFileError } from '@kurir/row-files';
import { createReadRow, refuse } from './read-row.js';
import { createSeenNumbers } from './seen-numbers.js';

export type ImportRun = {
  readonly database: Database;
  readonly accountKeys: AccountKeys;
  readonly given: ImportView;
  readonly owner: string;
  /** Aborted: the run ends before the next batch. */
  readonly signal: AbortSignal;
  readonly batchRows?: number | undefined;
};

/** `left`: another worker goes on, or somebody cancelled it. */
export type RunOutcome = 'done' | 'failed' | 'left';

const batchRowsByDefault = 1_000;

type Problem = { readonly problem: string; readonly row: number | null };

/** The rows of the file that are not stored yet, as contacts and refusals. */
class Reader {
  readonly #run: ImportRun;
  readonly #seen = createSeenNumbers();
  #counts: ImportCounts;
  #contacts: ImportedContact[] = [];
  #refusals: Refusal[] = [];
  #rows = 0;
  #lastRow = 0;
  readBytes = 0;

  constructor(run: ImportRun) {
    this.#run = run;
    this.#counts = run.given;
  }

  get #waiting(): number {
    return this.#contacts.length + this.#refusals.length;
  }

  /** Stores what waits. Returns false if this worker may not go on. */
  async #store(): Promise<boolean> {
    const { given, owner, signal } = this.#run;
    if (signal.aborted) return false;
    if (this.#waiting === 0) return true;
    const batch = {
      contacts: this.#contacts,
      refusals: this.#refusals,
      lastRow: this.#lastRow,
      readBytes: Math.min(this.readBytes, given.bytes),
    };
    const counts = await storeBatch(this.#run, { importId: given.id, owner }, given, this.#counts, batch);
    if (counts === null) return false;
    this.#counts = counts;
    this.#contacts = [];
    this.#refusals = [];
    return true;
  }

  #take(row: FileRow, read: (row: FileRow) => ImportedContact | Refusal): void {
    const result = read(row);
    const sameAsRow = 'code' in result ? null : this.#seen.add(result.phone, row.row);
    if (row.row <= this.#counts.lastRow) return;
    this.#lastRow = row.row;
    const cells = 'problem' in row ? row.cells : row.values;
    if ('code' in result) this.#refusals.push({ ...result, cells });
    else if (sameAsRow === null) this.#contacts.push({ ...result, cells });
    else {
      const { phone } = result;
      this.#refusals.push({ ...refuse(row.row, 'duplicate_in_file', { value: phone, phone, sameAsRow }), cells });
    }
  }

  /** Returns `left` if this worker may not go on, or the problem that ends the file. */
  async readAll(file: RowFile, read: (row: FileRow) => ImportedContact | Refusal): Promise<'done' | 'left' | Problem> {
    const { batchRows = batchRowsByDefault } = this.#run;
    try {
      for await (const list of file.rows) {
        for (const row of list) {
          if (++this.#rows > limits.uploadMaxRows)
            return (await this.#store()) ? { problem: 'too_many_rows', row: row.row } : 'left';
          this.#take(row, read);
          if (this.#waiting >= batchRows && !(await this.#store())) return 'left';
        }
        // A list is short. Between two of them, messages are sent.
        await otherWork();
        if (this.#run.signal.aborted) return 'left';
      }
    } catch (error) {
      if (!(error instanceof RowFileError)) throw error;
      return (await this.#store()) ? { problem: error.problem, row: error.row } : 'left';
    }
    return (await this.#store()) ? 'done' : 'left';
  }
}

async function* counted(chunks: AsyncIterable<Buffer>, count: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    count(chunk.length);
    yield chunk;
  }
}

async function readFile(run: ImportRun): Promise<'done' | 'left' | Problem> {
  const { database, given } = run;
  const reader = new Reader(run);
  const chunks = counted(readUploadBytes(database, given.uploadId), (bytes) => {
    reader.readBytes += bytes;
  });
  try {
    const file = await openRows(chunks);
    const read = createReadRow(file.columns, given.mapping, given.country);
    if (read === null) return { problem: 'column_missing', row: null };
    const end = await reader.readAll(file, read);
    return end === 'done' && reader.readBytes < given.bytes ? { problem: 'upload_gone', row: null } : end;
  } catch (error) {
    if (!(error instanceof RowFileError)) throw error;
    return { problem: reader.readBytes === 0 ? 'upload_gone' : error.problem, row: error.row };
  }
}

export async function runImport(run: ImportRun): Promise<RunOutcome> {
  const { database, given, owner } = run;
  const end = await readFile(run);
  if (end === 'left') return 'left';
  if (!(await endImport(database, { importId: given.id, owner }, end))) return 'left';
  await deleteUpload(database, given.uploadId);
  return end === 'done' ? 'done' : 'failed';
}
