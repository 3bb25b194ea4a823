/** The filters that a person saved under names in this browser. */
import { narrowingOf, type Search } from './filters.js';

export type SavedFilter = { readonly name: string; readonly search: Search };

const storageKey = (personId: string) => `kurir.message-filters.${personId}`;
const mostSaved = 50;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Leaves out what is no filter: somebody, or another version, may have written the text. */
export function parseSaved(text: string | null): SavedFilter[] {
  try {
    const saved: unknown = JSON.parse(text ?? '[]');
    if (!Array.isArray(saved)) return [];
    return saved.flatMap((one: unknown) => {
      if (!isRecord(one) || typeof one['name'] !== 'string' || !isRecord(one['search'])) return [];
      const texts = Object.entries(one['search']).filter(([, value]) => typeof value === 'string');
      return [{ name: one['name'], search: narrowingOf(Object.fromEntries(texts)) }];
    });
  } catch {
    return []; // it is no JSON
  }
}

export function readSaved(personId: string): SavedFilter[] {
  try {
    return parseSaved(localStorage.getItem(storageKey(personId)));
  } catch {
    return []; // the browser forbids storage
  }
}

/** Saves the filter. One of the same name is replaced. */
export const withSaved = (saved: readonly SavedFilter[], name: string, search: Search): SavedFilter[] =>
  [{ name, search: narrowingOf(search) }, ...saved.filter((one) => one.name !== name)].slice(0, mostSaved);

/** False if the browser stores nothing. */
export function writeSaved(personId: string, saved: readonly SavedFilter[]): boolean {
  try {
    localStorage.setItem(storageKey(personId), JSON.stringify(saved));
    return true;
  } catch {
    return false;
  }
}

/** The saved filter that the list shows now. */
export function findSaved(saved: readonly SavedFilter[], search: Search): SavedFilter | undefined {
  const shown = JSON.stringify(narrowingOf(search));
  return saved.find((one) => JSON.stringify(narrowingOf(one.search)) === shown);
}
