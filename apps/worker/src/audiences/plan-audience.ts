/**
 * Plans the audience of one broadcast: reads its file from the beginning, or its contacts from the newest on. It stores
 * batches of recipients with their place, so a run after a killed one goes on after the last batch.
 */
import { setImmediate as otherWork } from 'node:timers/promises';
import { limits, type ParsedTemplate } from '@kurir/contracts';
import type { AccountKeys, Database } from '@kurir/database';
import {
  type AudienceEnd,
  type AudiencePlace,
  type ClaimedAudience,
  countAudience,
  endPlanning,
  type PlannedRow,
  readTemplateOf,
  storePlanned,
} from '@kurir/database/broadcasts';
import { type ContactFilter, type ContactView, listContacts } from '@kurir/database/contacts';
import { deleteUpload, readUploadBytes } from '@kurir/database/uploads';
import { openRows, type RowFile, RowFileError } from '@kurir/row-files';
import { createReadContact, createReadPlannedRow, type ReadPlannedRow } from './read-planned-row.js';

export type PlanRun = {
  readonly database: Database;
  readonly accountKeys: AccountKeys;
  readonly audience: ClaimedAudience;
  /** Aborted: the run ends before the next batch. */
  readonly signal: AbortSignal;
  readonly batchRows?: number | undefined;
};

/** `left`: another worker goes on, or somebody cancelled it. */
export type PlanOutcome = 'done' | 'failed' | 'left';

type End = 'done' | 'left' | AudienceEnd;

/** A larger batch would keep messages of the same worker waiting. */
const batchRowsByDefault = 500;

type SourceOf<K extends ClaimedAudience['source']['kind']> = Extract<ClaimedAudience['source'], { kind: K }>;

const problem = (code: string, row: number | null = null): AudienceEnd => ({ code, row });

/** Stores batches, each from the place where the last one ended. */
class Planner {
  readonly #run: PlanRun;
  readonly #template: ParsedTemplate;
  #at: AudiencePlace;

  constructor(run: PlanRun, template: ParsedTemplate) {
    this.#run = run;
    this.#template = template;
    this.#at = { place: run.audience.place, done: run.audience.done };
  }

  get place(): string | null {
    return this.#at.place;
  }

  get done(): number {
    return this.#at.done;
  }

  /** Returns false if this worker may not go on. */
  async store(rows: readonly PlannedRow[], to: AudiencePlace): Promise<boolean> {
    const { database, accountKeys, audience, signal } = this.#run;
    if (signal.aborted) return false;
    if (rows.length === 0) return true;
    const batch = { rows, from: this.#at, to };
    if (!(await storePlanned(database, accountKeys, audience, this.#template, batch))) return false;
    this.#at = to;
    return true;
  }
}

type FileReading = {
  readonly run: PlanRun;
  readonly planner: Planner;
  readBytes: number;
  /** The parts have ended before the file. */
  isCut: boolean;
};

async function readRows(reading: FileReading, file: RowFile, read: ReadPlannedRow, bytes: number): Promise<End> {
  const { run, planner } = reading;
  const { batchRows = batchRowsByDefault, signal } = run;
  const before = Number(planner.place ?? 0);
  let batch: PlannedRow[] = [];
  let [rows, lastRow] = [0, before];
  const store = async () => {
    const stored = await planner.store(batch, { place: String(lastRow), done: Math.min(reading.readBytes, bytes) });
    batch = [];
    return stored;
  };
  try {
    for await (const list of file.rows) {
      for (const row of list) {
        if (++rows > limits.broadcastMaxRecipients) return problem('too_many_rows', row.row);
        if (row.row <= before) continue;
        batch.push(read(row));
        lastRow = row.row;
        if (batch.length >= batchRows && !(await store())) return 'left';
      }
      // A list is short. Between two of them, messages are sent.
      await otherWork();
      if (signal.aborted) return 'left';
    }
  } catch (error) {
    if (!(error instanceof RowFileError)) throw error;
    return problem(error.problem, error.row);
  }
  return (await store()) ? 'done' : 'left';
}

async function planFile(run: PlanRun, template: ParsedTemplate, source: SourceOf<'upload'>): Promise<End> {
  const reading: FileReading = { run, planner: new Planner(run, template), readBytes: 0, isCut: false };
  async function* chunks(): AsyncGenerator<Buffer> {
    for await (const chunk of readUploadBytes(run.database, source.uploadId)) {
      reading.readBytes += chunk.length;
      yield chunk;
    }
    reading.isCut = reading.readBytes < source.bytes;
  }
  try {
    const file = await openRows(chunks());
    const read = createReadPlannedRow(file.columns, source.mapping, source.country, template);
    if (read === null) return problem('column_missing');
    const end = await readRows(reading, file, read, source.bytes);
    return end !== 'left' && reading.isCut ? problem('upload_gone') : end;
  } catch (error) {
    if (!(error instanceof RowFileError)) throw error;
    return reading.isCut ? problem('upload_gone') : problem(error.problem, error.row);
  }
}

/** The newest first, so contacts that are created meanwhile are not met. */
async function planContacts(run: PlanRun, template: ParsedTemplate, filter: ContactFilter): Promise<End> {
  const { database, audience, batchRows = batchRowsByDefault } = run;
  if ((await countAudience(database, audience, filter)) > limits.broadcastMaxRecipients)
    return problem('too_many_rows');
  const planner = new Planner(run, template);
  const read = createReadContact(template);
  for (let hasMore = true; hasMore; ) {
    const page = { ...filter, limit: batchRows, cursor: planner.place };
    const { contacts, nextCursor } = await listContacts(database, audience.accountId, page);
    const last: ContactView | undefined = contacts.at(-1);
    const to = { place: last?.id ?? planner.place, done: planner.done + contacts.length };
    if (!(await planner.store(contacts.map(read), to))) return 'left';
    hasMore = nextCursor !== null;
    await otherWork();
  }
  return 'done';
}

async function plan(run: PlanRun): Promise<End> {
  const { database, accountKeys, audience } = run;
  const template = await readTemplateOf(database, accountKeys, audience);
  if (template === null) return problem('internal_error');
  const { source } = audience;
  return source.kind === 'upload' ? planFile(run, template, source) : planContacts(run, template, source.filter);
}

export async function planAudience(run: PlanRun): Promise<PlanOutcome> {
  const { database, audience } = run;
  const end = await plan(run);
  if (end === 'left' || !(await endPlanning(database, audience, end))) return 'left';
  if (audience.source.kind === 'upload') await deleteUpload(database, audience.source.uploadId);
  return end === 'done' ? 'done' : 'failed';
}
