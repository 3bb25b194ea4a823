/** The operations of contacts: the people whom an account knows, with their lists and their consent. */
import { z } from 'zod';
import { limits } from '../http/limits.js';
import type { OperationForPeople, PublicOperation } from '../http/operation-entry.js';
import { checkedNumber, contact, contactId } from './contact-fields.js';
import {
  changeListsRequest,
  checkContactsRequest,
  contactExportQuery,
  contactListQuery,
  nameContactsRequest,
  saveContactRequest,
  updateContactRequest,
} from './contact-requests.js';

export const readsContacts = {
  scope: 'contacts:read',
  testKeys: 'never',
  access: 'viewer',
  audit: null,
  device: false,
  repeat: 'harmless',
  maxBodyBytes: limits.bodyMaxBytes,
  body: null,
} as const;

export const writesContacts = {
  scope: 'contacts:write',
  testKeys: 'never',
  access: 'developer',
  device: false,
  repeat: 'refuse',
  maxBodyBytes: limits.bodyMaxBytes,
  query: null,
} as const;

export const refusedBody = [
  'MALFORMED_REQUEST',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'INVALID_REQUEST',
] as const;

export const contactOperations = {
  saveContact: {
    ...writesContacts,
    method: 'POST',
    path: '/api/v1/contacts',
    summary:
      'Create a contact, or change the one that has this phone number. A field that you leave out stays as it is.',
    audit: { whose: 'people', actions: ['contact.saved'] },
    body: saveContactRequest,
    data: z.object({ contact, created: z.boolean().meta({ description: 'False: it was there already.' }) }),
    message: 'Contact saved',
    errors: [...refusedBody, 'INVALID_PHONE_NUMBER', 'REPLAYED_REQUEST', 'SERVICE_UNAVAILABLE'],
  },
  listContacts: {
    ...readsContacts,
    method: 'GET',
    path: '/api/v1/contacts',
    summary: 'List contacts, newest first or by name.',
    query: contactListQuery,
    data: z.object({ contacts: z.array(contact), next_cursor: z.string().nullable() }),
    message: 'Contacts listed',
    errors: ['INVALID_REQUEST', 'INVALID_PHONE_NUMBER', 'SERVICE_UNAVAILABLE'],
  },
  exportContacts: {
    ...readsContacts,
    method: 'GET',
    path: '/api/v1/contacts/export',
    summary: 'Export contacts as CSV or NDJSON, newest first. The answer is a file.',
    audit: { whose: 'all', actions: ['contacts.exported'] },
    query: contactExportQuery,
    answers: 'file',
    data: z.string(),
    message: 'Contacts exported',
    errors: ['INVALID_REQUEST', 'INVALID_PHONE_NUMBER', 'SERVICE_UNAVAILABLE'],
  },
  listContactLists: {
    ...readsContacts,
    method: 'GET',
    path: '/api/v1/contacts/lists',
    summary: 'List the names of lists, with how many contacts each has.',
    query: null,
    data: z.object({ lists: z.array(z.object({ name: z.string(), contacts: z.int() })) }),
    message: 'Lists listed',
    errors: ['SERVICE_UNAVAILABLE'],
  },
  changeContactLists: {
    ...writesContacts,
    method: 'POST',
    path: '/api/v1/contacts/lists',
    summary: `Add up to ${limits.changeListsMaxContacts.toLocaleString('en')} contacts that match a filter to lists, or remove them from lists.`,
    audit: { whose: 'all', actions: ['contacts.lists_changed'] },
    body: changeListsRequest,
    data: z.object({
      changed: z.int().meta({ description: 'How many contacts were changed.' }),
      has_more: z.boolean().meta({ description: 'Whether more contacts match. If so, send a new request.' }),
    }),
    message: 'Lists changed',
    errors: [...refusedBody, 'INVALID_PHONE_NUMBER', 'REPLAYED_REQUEST', 'SERVICE_UNAVAILABLE'],
  },
  checkContacts: {
    ...readsContacts,
    method: 'POST',
    path: '/api/v1/contacts/check',
    summary: `Say of up to ${limits.checkContactsMax} numbers whether they have an account on the network, from the traffic of your devices. Kurir does not ask the network.`,
    whileSuspended: true,
    body: checkContactsRequest,
    query: null,
    data: z.object({ checked: z.array(checkedNumber).meta({ description: 'In the order of the request.' }) }),
    message: 'Numbers checked',
    errors: [...refusedBody, 'SERVICE_UNAVAILABLE'],
  },
  getContact: {
    ...readsContacts,
    method: 'GET',
    path: '/api/v1/contacts/{contact_id}',
    summary: 'Look up a contact.',
    query: null,
    data: contact,
    message: 'Contact found',
    errors: ['CONTACT_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  },
  updateContact: {
    ...writesContacts,
    method: 'PATCH',
    path: '/api/v1/contacts/{contact_id}',
    summary: 'Change a contact. A field that you leave out stays as it is.',
    audit: { whose: 'people', actions: ['contact.changed'] },
    body: updateContactRequest,
    data: contact,
    message: 'Contact changed',
    errors: [...refusedBody, 'CONTACT_NOT_FOUND', 'REPLAYED_REQUEST', 'SERVICE_UNAVAILABLE'],
  },
  deleteContact: {
    ...writesContacts,
    method: 'DELETE',
    path: '/api/v1/contacts/{contact_id}',
    summary: 'Delete a contact. Messages and conversations with the person stay.',
    audit: { whose: 'people', actions: ['contact.deleted'] },
    body: null,
    data: z.object({ contact_id: contactId }),
    message: 'Contact deleted',
    errors: ['CONTACT_NOT_FOUND', 'REPLAYED_REQUEST', 'SERVICE_UNAVAILABLE'],
  },
} as const satisfies Record<string, PublicOperation>;

export const contactOperationsForPeople = {
  nameContacts: {
    method: 'POST',
    path: '/app/api/contacts/names',
    summary: 'The names of the contacts that have these numbers.',
    access: 'agent',
    audit: null,
    whileSuspended: true,
    body: nameContactsRequest,
    query: null,
    data: z.object({
      names: z
        .array(z.object({ phone: z.string(), name: z.string() }))
        .meta({ description: 'A number without a contact, or whose contact has no name, is left out.' }),
    }),
    message: 'Names found',
    errors: ['INVALID_REQUEST', 'SERVICE_UNAVAILABLE'],
  },
} as const satisfies Record<string, OperationForPeople>;
