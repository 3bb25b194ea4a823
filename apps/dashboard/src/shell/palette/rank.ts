/** The order of the entries of the palette. */
import { defaultFilter } from 'cmdk';

/** These entries are always in the list, after all entries whose name fits. */
export const last = { findMessages: 'find messages', searchDocs: 'search docs' } as const;
const ranks: Readonly<Record<string, number>> = { [last.findMessages]: 0.002, [last.searchDocs]: 0.001 };

/** The values of entries for devices, people, broadcasts and so on begin with this. Their second word is the bare name. */
export const thing = 'thing ';

/** Whether somebody typed the name of a thing, or a whole word of it. */
export function isNamed(name: string, search: string): boolean {
  const typed = search.trim().toLowerCase();
  const bare = name.toLowerCase();
  return bare === typed || (typed !== '' && bare.split(/\s+/).includes(typed));
}

/** A fuzzy fit is at most 1. Among things, one whose name somebody typed comes first. */
function rankOfThing(search: string, [, bare = '']: readonly string[]): number {
  if (bare.toLowerCase() === search.trim().toLowerCase()) return 3;
  return isNamed(bare, search) ? 2 : 0;
}

/** An entry is found by its words. The first of them is its name. */
export function rank(value: string, search: string, words: string[] = []): number {
  const [name = value, ...others] = words;
  const found = ranks[value] ?? defaultFilter(name, search, others) ?? 0;
  return value.startsWith(thing) ? Math.max(found, rankOfThing(search, words)) : found;
}
