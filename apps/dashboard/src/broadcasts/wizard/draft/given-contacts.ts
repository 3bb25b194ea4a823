/** The contacts that another page asks the wizard to take. Their filter is in the address. */
import type { ContactsFilter } from './draft.js';

type Search = {
  readonly contacts?: true | undefined;
  readonly q?: string | undefined;
  readonly list?: string | undefined;
  /** A key, a colon and the value. */
  readonly attribute?: string | undefined;
  readonly consent?: string | undefined;
};

/** Null: the address names no contacts. */
export function contactsOf({ contacts, q = '', list = '', attribute = '', consent }: Search): ContactsFilter | null {
  if (contacts !== true) return null;
  const at = attribute.indexOf(':');
  return {
    list,
    q,
    attribute: attribute.slice(0, Math.max(at, 0)),
    value: attribute.slice(at + 1),
    hasConsent: consent === 'yes',
  };
}
