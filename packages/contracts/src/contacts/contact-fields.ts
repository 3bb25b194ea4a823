/** The fields of a contact. Imports check the cells of a file by the same rules. */
import { z } from 'zod';
import { isStorableText, notStorable } from '../fields/storable-text.js';
import { timestamp } from '../fields/timestamp.js';
import { limits } from '../http/limits.js';
import { isAttributeKey, isListName } from './contact-names.js';

/** Returns the language tag in its usual form, such as `id-ID`, or null. */
export function canonicalLocale(text: string): string | null {
  try {
    const [locale = null] = text.length > 35 ? [] : Intl.getCanonicalLocales(text.trim().replaceAll('_', '-'));
    return locale;
  } catch {
    return null;
  }
}

/** A number, and whether the account knows it. */
export const checkedNumber = z.object({
  asked: z.string().meta({ description: 'The text of the request.' }),
  phone: z.string().nullable().meta({ description: 'Digits with country code. Null: the text is no phone number.' }),
  on_network: z.enum(['yes', 'no', 'unknown', 'no_number']).meta({
    description:
      '`yes`: a device wrote to the person or heard from them. `no`: since then, and within 90 days, a message failed because the number has no account on the network. `unknown`: neither. `no_number`: the text is no phone number.',
  }),
  at: timestamp.nullable().meta({ description: 'When this was last seen, for `yes` to the day. Null: never.' }),
  error: z.string().nullable().meta({ description: 'Why the text is no phone number. Null: it is one.' }),
});

export const contactId = z.string().meta({ example: 'con_01kajp4m3s5y8zt0v6qk2c9hbe' });

export const nameField = z.string().trim().min(1).max(limits.contactNameMaxLength).refine(isStorableText, notStorable);

export const localeField = z
  .string()
  .transform(canonicalLocale)
  .refine((locale) => locale !== null, 'must be a language tag, such as id or en-GB')
  .meta({ description: 'The language of the contact.', example: 'id' });

export const attributeKey = z
  .string()
  .refine(isAttributeKey, 'must be 1 to 64 characters without braces, colons and bars');

export const attributeValue = z.string().max(limits.attributeValueMaxLength).refine(isStorableText, notStorable);

export const listName = z
  .string()
  .refine(isListName, 'must be 1 to 64 characters without commas, semicolons and bars')
  .meta({ example: 'promo' });

export const listNames = z.array(listName).max(limits.listsMax);

const instant = z.iso.datetime({ offset: true, error: 'must be a time like 2026-11-21T09:00:00.000Z' });

export const consentField = z
  .strictObject({
    source: z.string().trim().min(1).max(limits.consentSourceMaxLength).refine(isStorableText, notStorable).meta({
      description: 'Where the person agreed to get messages.',
      example: 'Checkout page',
    }),
    at: instant.optional().meta({ description: 'When. Default: now.' }),
  })
  .transform(({ source, at }) => ({ source, at: at === undefined ? null : new Date(at) }));

export const contact = z
  .object({
    contact_id: contactId,
    phone: z.string().meta({ description: 'Digits with country code.', example: '6281234567890' }),
    name: z.string().nullable(),
    locale: z.string().nullable(),
    time_zone: z.string().nullable(),
    attributes: z.record(z.string(), z.string()).meta({ example: { kota: 'Bandung' } }),
    lists: z.array(z.string()).meta({ description: 'The lists that the contact is in.' }),
    consent: z
      .object({ source: z.string(), at: timestamp })
      .nullable()
      .meta({ description: 'Null: no consent is on record.' }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Contact' });
