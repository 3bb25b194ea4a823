/** The cells of a refused row, sealed and bound to their place. Very long rows are not kept. */
import type { KeyObject } from 'node:crypto';
import { type ImportId, limits } from '@kurir/contracts';
import { open, seal } from '@kurir/signing';
import type { SealingKeys } from '../../accounts/account-keys.js';

/** The cells of a row of the file. Undefined: it has none that can be read. */
export type Cells = readonly string[] | undefined;

type Place = { readonly importId: ImportId; readonly row: number };

const placeOf = ({ importId, row }: Place): string => `${importId} ${row}`;

export function sealCells({ dataKey }: SealingKeys, place: Place, cells: Cells): Buffer | null {
  const json = JSON.stringify(cells ?? []);
  return cells === undefined || json.length > limits.refusedRowMaxLength ? null : seal(dataKey, json, placeOf(place));
}

/** Null: the cells are damaged, or their key is lost. */
export function openCells(key: KeyObject | null, place: Place, sealed: Buffer): readonly string[] | null {
  const json = key === null ? null : open(key, sealed, placeOf(place));
  // Only `sealCells` seals for this place.
  return json === null ? null : (JSON.parse(json.toString('utf8')) as string[]);
}
