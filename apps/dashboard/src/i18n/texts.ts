/**
 * Texts stand beside the page that shows them, in both languages, as plain objects: the compiler finds a missing or
 * misspelt one, and a page loads only its own.
 */
import { type Language, useLanguage } from './language.js';

type Text = string | ((...values: never[]) => string) | { readonly [name: string]: Text };
type SameShape<T> = T extends string
  ? string
  : T extends (...values: infer V) => string
    ? (...values: V) => string
    : { readonly [K in keyof T]: SameShape<T[K]> };

export type Texts<T> = { readonly [L in Language]: SameShape<T> };

export const defineTexts = <const T extends { readonly [name: string]: Text }>(
  en: T,
  id: NoInfer<SameShape<T>>,
): Texts<T> => ({ en: en as unknown as SameShape<T>, id }); // T has its own shape, which the compiler cannot see

export const useTexts = <T>(texts: Texts<T>): SameShape<T> => texts[useLanguage()];
