/**
 * Each page has its texts in its own folder, in both languages. They are plain objects, so the compiler finds a
 * missing or misspelt text, and a page loads only its own texts.
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
): Texts<T> => ({ en: en as unknown as SameShape<T>, id }); // `T` always has the shape `SameShape<T>`, but the compiler cannot see it

export const useTexts = <T>(texts: Texts<T>): SameShape<T> => texts[useLanguage()];
