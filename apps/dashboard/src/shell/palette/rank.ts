/** The order of the entries of the palette. */
import { defaultFilter } from 'cmdk';

/** These entries are always in the list, after all entries whose name fits. */
export const last = { findMessages: 'find messages', searchDocs: 'search docs' } as const;
const ranks: Readonly<Record<string, number>> = { [last.findMessages]: 0.002, [last.searchDocs]: 0.001 };

/** An entry is found by its words. The first of them is its name. */
export const rank = (value: string, search: string, [name = value, ...words]: string[] = []): number =>
  ranks[value] ?? defaultFilter(name, search, words) ?? 0;
