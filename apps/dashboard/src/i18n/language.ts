/** The language of the pages: the chosen one, or else the browser's, or else English. */
import type { Language } from '@kurir/contracts/dashboard';
import { useSyncExternalStore } from 'react';

export type { Language };

const storageKey = 'kurir.language';
const listeners = new Set<() => void>();

const isLanguage = (text: string | null): text is Language => text === 'en' || text === 'id';

export function preferredLanguage(chosen: string | null, browser: readonly string[]): Language {
  if (isLanguage(chosen)) return chosen;
  const known = browser.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage);
  return known ?? 'en';
}

function stored(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null; // the browser forbids storage: the choice lasts as long as the page
  }
}

let current: Language = typeof navigator === 'undefined' ? 'en' : preferredLanguage(stored(), navigator.languages);

export const currentLanguage = (): Language => current;

export function chooseLanguage(language: Language): void {
  current = language;
  document.documentElement.lang = language;
  try {
    localStorage.setItem(storageKey, language);
  } catch {
    // as above
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useLanguage = (): Language => useSyncExternalStore(subscribe, currentLanguage);
