/**
 * Makes the text for one recipient. Values are put in as they are and never parsed. The same recipient and seed always
 * get the same picks: the seed of a broadcast is its id, so its preview shows what it sends.
 */
import { hasAtMost } from '../fields/code-points.js';
import { isStorableText } from '../fields/storable-text.js';
import { limits } from '../http/limits.js';
import { keysOf, nameKey, type ParsedTemplate } from './parse-template.js';
import { pickOption } from './pick-option.js';

export type Values = Readonly<Record<string, string>>;

export type Rendering =
  | { readonly kind: 'text'; readonly text: string }
  /** The recipient has no value, or an empty one, for these names, and the template has no fallback. */
  | { readonly kind: 'missing'; readonly names: readonly string[] }
  /** The text is longer than a message, empty, or Postgres could not store it. */
  | { readonly kind: 'refused'; readonly reason: 'too_long' | 'empty' | 'not_storable' };

/** A value of spaces only counts as empty. */
function keyed(values: Values): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  for (const [name, value] of Object.entries(values)) {
    const key = nameKey(name);
    if (value.trim() !== '' && !known.has(key)) known.set(key, value);
  }
  return known;
}

function checked(text: string): Rendering {
  if (text.trim() === '') return { kind: 'refused', reason: 'empty' };
  if (!hasAtMost(limits.messageMaxCodePoints, text)) return { kind: 'refused', reason: 'too_long' };
  return isStorableText(text) ? { kind: 'text', text } : { kind: 'refused', reason: 'not_storable' };
}

/** A text with more UTF-16 units is too long for certain, so nothing more is added to it. */
const enough = 2 * limits.messageMaxCodePoints;

/** Two values whose names differ only in upper and lower case are one; the first that is not empty counts. */
export function renderTemplate(
  { parts }: ParsedTemplate,
  values: Values,
  { recipient, seed }: { readonly recipient: string; readonly seed: string },
): Rendering {
  const known = keyed(values);
  const missing = new Map<string, string>();
  let text = '';
  const add = (more: string) => {
    if (text.length <= enough) text += more;
  };
  for (const [place, part] of parts.entries()) {
    if (part.kind === 'text') add(part.text);
    else if (part.kind === 'pick') add(pickOption(part.options, { recipient, seed, place }));
    else {
      const [key = '', other = ''] = keysOf(part.name);
      const value = known.get(key) ?? known.get(other) ?? part.fallback;
      if (value !== null) add(value);
      else if (!missing.has(key)) missing.set(key, part.name);
    }
  }
  return missing.size > 0 ? { kind: 'missing', names: [...missing.values()] } : checked(text);
}
