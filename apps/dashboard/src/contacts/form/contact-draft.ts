/** The fields that a person types about a contact, and the request for the gateway. */
import { type DashboardBodyInput, isAttributeKey, limits } from '@kurir/contracts/dashboard';
import type { Contact } from '../contact-queries.js';
import type { Attribute } from '../fields/attributes-field.js';

export type ContactDraft = {
  /** As the person writes it. It cannot change later. */
  readonly phone: string;
  readonly name: string;
  readonly locale: string;
  readonly timeZone: string;
  readonly attributes: readonly Attribute[];
  readonly lists: readonly string[];
  /** Null: no consent is on record. */
  readonly consent: string | null;
};

export const emptyContact: ContactDraft = {
  phone: '',
  name: '',
  locale: '',
  timeZone: '',
  attributes: [],
  lists: [],
  consent: null,
};

export const draftOf = (contact: Contact): ContactDraft => ({
  phone: contact.phone,
  name: contact.name ?? '',
  locale: contact.locale ?? '',
  timeZone: contact.time_zone ?? '',
  attributes: Object.entries(contact.attributes).map(([key, value]) => ({ key, value })),
  lists: contact.lists,
  consent: contact.consent?.source ?? null,
});

const isEmpty = ({ key, value }: Attribute): boolean => key.trim() === '' && value.trim() === '';

export function hasWrongAttribute(attributes: readonly Attribute[]): boolean {
  const keys = attributes.filter((one) => !isEmpty(one)).map(({ key }) => key.trim());
  return keys.some((key) => !isAttributeKey(key)) || new Set(keys).size < keys.length;
}

export const isPossible = ({ phone, attributes, lists, consent }: ContactDraft): boolean =>
  phone.trim() !== '' && !hasWrongAttribute(attributes) && lists.length <= limits.listsMax && consent?.trim() !== '';

const attributesOf = (attributes: readonly Attribute[]): Record<string, string> =>
  Object.fromEntries(attributes.filter((one) => !isEmpty(one)).map(({ key, value }) => [key.trim(), value.trim()]));

const textOrNull = (text: string): string | null => text.trim() || null;

/** The request for a new contact. Empty fields are left out. */
export function bodyOf(draft: ContactDraft): DashboardBodyInput<'saveContact'> {
  const attributes = attributesOf(draft.attributes);
  return {
    phone: draft.phone.trim(),
    ...(draft.name.trim() === '' ? {} : { name: draft.name.trim() }),
    ...(draft.locale === '' ? {} : { locale: draft.locale }),
    ...(draft.timeZone === '' ? {} : { time_zone: draft.timeZone }),
    ...(Object.keys(attributes).length === 0 ? {} : { attributes }),
    ...(draft.lists.length === 0 ? {} : { lists: [...draft.lists] }),
    ...(draft.consent === null ? {} : { consent: { source: draft.consent.trim() } }),
  };
}

/** Keeps the time of a consent whose words alone change. */
function changedConsent(draft: ContactDraft, { consent }: Contact) {
  if (draft.consent === null) return consent === null ? {} : { consent: null };
  const source = draft.consent.trim();
  if (consent?.source === source) return {};
  return { consent: { source, ...(consent === null ? {} : { at: consent.at }) } };
}

/** Only what differs from the contact, so that a change of somebody else stays. Null: nothing differs. */
export function changeOf(draft: ContactDraft, contact: Contact): DashboardBodyInput<'updateContact'> | null {
  const attributes = attributesOf(draft.attributes);
  const removed = Object.keys(contact.attributes).filter((key) => !(key in attributes));
  const differing = Object.entries(attributes).filter(([key, value]) => contact.attributes[key] !== value);
  const changed = [...differing, ...removed.map((key) => [key, null] as const)];
  const isSame = draft.lists.length === contact.lists.length && draft.lists.every((one) => contact.lists.includes(one));
  const change = {
    ...(textOrNull(draft.name) === contact.name ? {} : { name: textOrNull(draft.name) }),
    ...(textOrNull(draft.locale) === contact.locale ? {} : { locale: textOrNull(draft.locale) }),
    ...(textOrNull(draft.timeZone) === contact.time_zone ? {} : { time_zone: textOrNull(draft.timeZone) }),
    ...(changed.length === 0 ? {} : { attributes: Object.fromEntries(changed) }),
    ...(isSame ? {} : { lists: [...draft.lists] }),
    ...changedConsent(draft, contact),
  };
  return Object.keys(change).length === 0 ? null : change;
}
