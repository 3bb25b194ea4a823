/** The filter of the list of contacts. It is in the address, so that Back and a bookmark keep it. */
import type { ContactQuery } from './contact-queries.js';

export type Search = {
  readonly q?: string | undefined;
  readonly list?: string | undefined;
  readonly attribute?: string | undefined;
  readonly consent?: string | undefined;
};

/** `kota : Bandung` as the gateway takes it. Null: it is no key with a value. */
export function attributeOf(text: string): string | null {
  const at = text.indexOf(':');
  const [key, value] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  return at === -1 || key === '' || value === '' ? null : `${key}:${value}`;
}

export function queryOf({ q = '', list = '', attribute = '', consent }: Search): ContactQuery {
  const pair = attributeOf(attribute);
  return {
    ...(q.trim() === '' ? {} : { q: q.trim() }),
    ...(list === '' ? {} : { list }),
    ...(pair === null ? {} : { attribute: pair }),
    ...(consent === 'yes' ? { has_consent: 'true' as const } : {}),
    ...(consent === 'no' ? { has_consent: 'false' as const } : {}),
  };
}

export const isFiltered = (search: Search): boolean => Object.keys(queryOf(search)).length > 0;

/** Without the empty fields, so that the address stays short. */
export const cleaned = (search: Search): Search =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value.trim() !== ''));
