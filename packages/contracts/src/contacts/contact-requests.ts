/** The bodies and queries of contacts. The api reads phone numbers by the country of the account. */
import { z } from 'zod';
import { searchText } from '../fields/plain-text.js';
import { timeZoneField } from '../fields/time-zone.js';
import { limits } from '../http/limits.js';
import { pageCursor, pageLimit } from '../http/page-query.js';
import {
  attributeKey,
  attributeValue,
  consentField,
  listName,
  listNames,
  localeField,
  nameField,
} from './contact-fields.js';

const phoneText = z.string().min(1, 'must not be empty').max(64).meta({
  description: 'A phone number as people write it. Without a country code it is one of the country of the account.',
  example: '0812 3456 7890',
});

const fields = {
  name: nameField.nullable().optional(),
  locale: localeField.nullable().optional(),
  time_zone: timeZoneField.nullable().optional(),
  attributes: z
    .record(attributeKey, attributeValue.nullable())
    .optional()
    .meta({ description: 'Attributes that are not named stay. Null removes one.', example: { kota: 'Bandung' } }),
  lists: listNames.optional().meta({ description: 'All lists that the contact is in from now on.' }),
  consent: consentField.nullable().optional(),
};

const changeOf = (body: z.output<z.ZodObject<typeof fields>>) => ({
  name: body.name,
  locale: body.locale,
  timeZone: body.time_zone,
  attributes: body.attributes,
  lists: body.lists,
  consent: body.consent,
});

export const saveContactRequest = z
  .strictObject({ phone: phoneText, ...fields })
  .meta({ id: 'SaveContactRequest' })
  .transform((body) => ({ phone: body.phone, change: changeOf(body) }));

export const checkContactsRequest = z
  .strictObject({
    phones: z
      .array(phoneText)
      .min(1)
      .max(limits.checkContactsMax)
      .meta({
        description: `1 to ${limits.checkContactsMax} numbers, as people write them.`,
        example: ['0812 3456 7890'],
      }),
  })
  .meta({ id: 'CheckContactsRequest' });

export const nameContactsRequest = z.strictObject({
  phones: z
    .array(z.string().regex(/^\d{1,15}$/, 'must be digits with country code'))
    .min(1)
    .max(limits.contactNamesMax),
});

export const updateContactRequest = z
  .strictObject(fields)
  .refine((body) => Object.keys(body).length > 0, 'must name at least one thing to change')
  .meta({ id: 'UpdateContactRequest' })
  .transform(changeOf);

/** `kota:Bandung`: the key cannot hold a colon, and the value can. */
const attributePair = z
  .string()
  .regex(/^[^:]+:/, 'must be a key, a colon and a value')
  .transform((text) => ({ key: text.slice(0, text.indexOf(':')), value: text.slice(text.indexOf(':') + 1) }))
  .meta({ description: 'A key, a colon and the value.', example: 'kota:Bandung' });

const filterFields = {
  list: listName.optional().meta({ description: 'Only contacts in this list.' }),
  phone: phoneText.optional(),
  attribute: attributePair.optional(),
  locale: localeField.optional(),
  has_consent: z.enum(['true', 'false']).optional(),
  q: searchText.optional().meta({ description: 'A part of the name or of the number.' }),
};

/** In a body, it may be a boolean too. */
const bodyFields = {
  ...filterFields,
  has_consent: z.union([z.boolean(), z.enum(['true', 'false'])]).optional(),
};

const filterOf = (filter: z.output<z.ZodObject<typeof bodyFields>>) => ({
  list: filter.list ?? null,
  /** As written. The api turns it into digits. */
  phone: filter.phone ?? null,
  attribute: filter.attribute ?? null,
  locale: filter.locale ?? null,
  hasConsent: filter.has_consent === undefined ? null : String(filter.has_consent) === 'true',
  search: filter.q === undefined || filter.q === '' ? null : filter.q,
});

/** A filter in a body. An empty one means all contacts. */
export const contactFilter = z.strictObject(bodyFields).transform(filterOf);

export const contactListQuery = z
  .object({
    ...filterFields,
    sort: z
      .enum(['newest', 'name'])
      .optional()
      .meta({ description: '`newest` if left out. `name`: by name, and those without one last.' }),
    limit: pageLimit,
    cursor: pageCursor,
  })
  .transform((query) => ({
    ...filterOf(query),
    sort: query.sort ?? ('newest' as const),
    limit: query.limit ?? limits.listDefaultMessages,
    cursor: query.cursor ?? null,
  }));

export const contactExportQuery = z
  .object({ ...filterFields, format: z.enum(['csv', 'ndjson']).optional() })
  .transform((query) => ({ ...filterOf(query), format: query.format ?? ('csv' as const) }));

export const changeListsRequest = z
  .strictObject({
    filter: contactFilter.meta({ description: 'An empty filter means all contacts.' }),
    add: listNames.optional(),
    remove: listNames.optional(),
  })
  .refine(({ add = [], remove = [] }) => add.length + remove.length > 0, 'must name a list to add or to remove')
  .refine(({ add = [], remove = [] }) => !add.some((name) => remove.includes(name)), 'must not add and remove one list')
  .meta({ id: 'ChangeContactListsRequest' })
  .transform(({ filter, add = [], remove = [] }) => ({ filter, add, remove }));
