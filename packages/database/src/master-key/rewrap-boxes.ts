/**
 * Puts everything sealed under the master key that seals, while the gateway works. It can be broken off and run again.
 * It changes nothing if a box names a key that it does not have.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Audit } from '../accounts/audit.js';
import type { Database } from '../postgres/connect.js';
import type { Sealer } from '../postgres/sealer.js';
import { noteRewrapped, readMasterKeys } from './admit-master-key.js';
import { type PassCounts, passOver } from './rewrap-column.js';
import { type SealedColumn, sealerColumns } from './sealed-columns.js';

export type ColumnResult = {
  readonly column: string;
  readonly boxes: number;
  readonly rewrapped: number;
  readonly unreadable: number;
};

export type RewrapResult =
  | { readonly kind: 'lacks-keys'; readonly keyIds: readonly string[] }
  | {
      readonly kind: 'ran';
      readonly columns: readonly ColumnResult[];
      /** The first boxes that no key opens. */
      readonly unreadable: readonly string[];
      /** Other keys with which a process seals. */
      readonly inUse: readonly string[];
      /** Every box is under the key that seals, and nobody seals with another one. */
      readonly isDone: boolean;
    };

export type RewrapOptions = {
  /** Columns that the sealer does not know. */
  readonly more: readonly SealedColumn[];
  readonly audit: Audit;
  say(text: string): void;
  /** How long to wait for the processes that still seal with another key. */
  readonly patienceMs?: number;
};

const usualPatienceMs = 60_000;
const lookEveryMs = 1_000;
const mostPasses = 10;
const sayEveryMs = 2_000;

const titleOf = ({ table, column }: SealedColumn) => `${table}.${column}`;

/** Says at most every few seconds how far a pass is. */
function progressOf(title: string, say: RewrapOptions['say']): (counts: PassCounts) => void {
  let saidAt = performance.now();
  return ({ seen, rewrapped }) => {
    if (performance.now() - saidAt < sayEveryMs) return;
    saidAt = performance.now();
    say(`${title}: ${seen} seen, ${rewrapped} rewrapped`);
  };
}

async function findLackedKeys(database: Database, sealer: Sealer, columns: readonly SealedColumn[]): Promise<string[]> {
  const lacked = new Set<string>();
  for (const column of columns) {
    const { byKey } = await passOver(database, column, { keyId: sealer.keyId, lookOnly: true });
    for (const id of byKey.keys()) if (id !== '' && !sealer.keyIds.includes(id)) lacked.add(id);
  }
  return [...lacked].sort();
}

const readOthersInUse = async (database: Database, { keyId }: Sealer) =>
  (await readMasterKeys(database)).filter(({ id, isInUse }) => isInUse && id !== keyId).map(({ id }) => id);

/** Waits until no process seals with another key. Returns the keys that are still in use when the time is over. */
async function waitForOthers(database: Database, sealer: Sealer, say: RewrapOptions['say'], patienceMs: number) {
  const deadline = performance.now() + patienceMs;
  for (let isFirst = true; ; isFirst = false) {
    const inUse = await readOthersInUse(database, sealer);
    if (inUse.length === 0 || performance.now() >= deadline) return inUse;
    if (isFirst) say(`Waiting until no process seals with ${inUse.join(' and ')}.`);
    await sleep(lookEveryMs);
  }
}

/** Passes over the column until one finds nothing to do. */
async function rewrapColumn(database: Database, sealer: Sealer, column: SealedColumn, say: RewrapOptions['say']) {
  const onSlice = progressOf(titleOf(column), say);
  let rewrapped = 0;
  let last: PassCounts;
  let passes = 0;
  do {
    last = await passOver(database, column, { keyId: sealer.keyId, onSlice });
    rewrapped += last.rewrapped;
  } while (last.rewrapped + last.missed > 0 && ++passes < mostPasses);
  const isClean = last.rewrapped + last.missed + last.unreadableCount === 0;
  say(`${titleOf(column)}: ${last.seen} boxes, ${rewrapped} rewrapped`);
  const result = { column: titleOf(column), boxes: last.seen, rewrapped, unreadable: last.unreadableCount };
  return { result, isClean, unreadable: last.unreadable };
}

export async function rewrapBoxes(
  database: Database,
  sealer: Sealer,
  { more, audit, say, patienceMs = usualPatienceMs }: RewrapOptions,
): Promise<RewrapResult> {
  const columns = [...sealerColumns(sealer), ...more];
  const lacked = await findLackedKeys(database, sealer, columns);
  if (lacked.length > 0) return { kind: 'lacks-keys', keyIds: lacked };
  const inUse = await waitForOthers(database, sealer, say, patienceMs);
  const done = [];
  for (const column of columns) done.push(await rewrapColumn(database, sealer, column, say));
  const isClean = inUse.length === 0 && done.every((column) => column.isClean);
  const needed = await noteRewrapped(database, sealer, { isClean, audit });
  return {
    kind: 'ran',
    columns: done.map(({ result }) => result),
    unreadable: done.flatMap(({ unreadable }) => unreadable),
    inUse,
    isDone: isClean && needed.length === 0,
  };
}
