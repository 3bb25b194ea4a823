import { isLanguage, type Language } from '@kurir/contracts';

/** A longer header is not from a browser. */
const maxTags = 20;

function readTag(part: string): { readonly tag: string; readonly weight: number } {
  const [tag = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
  const given = parameters.find((text) => text.startsWith('q='))?.slice(2);
  const weight = given === undefined ? 1 : Number(given);
  return { tag: tag.slice(0, 2), weight: Number.isFinite(weight) ? weight : 0 };
}

/** Returns the language that a header `Accept-Language` (RFC 9110) likes best, or null if it names none of ours. */
export function acceptedLanguage(header: string | null | undefined): Language | null {
  const tags = (header ?? '').split(',').slice(0, maxTags).map(readTag);
  const best = tags.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight);
  return best.map(({ tag }) => tag).find(isLanguage) ?? null;
}
