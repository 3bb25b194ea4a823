/** The list of a draft as far as the page knows it: its columns, and its first people. */
import type { DashboardQueryInput } from '@kurir/contracts/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import { readQuery } from '../../../http/query.js';
import type { ContactsFilter, Draft } from './draft.js';
import { readPasted } from './read-pasted.js';
import { variableOf } from './variables.js';

export type Person = { readonly phone: string; readonly cells: Readonly<Record<string, string>> };

export type List = {
  /** Without the column of the numbers. */
  readonly columns: readonly string[];
  readonly people: readonly Person[];
  readonly isReady: boolean;
};

const samples = 20;

export function listOfFile(file: Draft['file']): List {
  if (file === null) return { columns: [], people: [], isReady: false };
  const { columns, rows, phone } = file;
  const at = columns.findIndex((column) => column === phone);
  const people = rows.map((cells) => ({
    phone: cells[at] ?? '',
    cells: Object.fromEntries(columns.map((column, i) => [column, cells[i] ?? ''])),
  }));
  return { columns: columns.filter((_column, i) => i !== at), people, isReady: at !== -1 };
}

function usePastedList({ audience, pasted }: Draft): List {
  return useMemo(() => {
    const { columns, rows } = readPasted(audience === 'paste' ? pasted : '');
    const people = rows.slice(0, samples).map(({ phone, values }) => ({ phone, cells: values }));
    return { columns, people, isReady: rows.length > 0 };
  }, [audience, pasted]);
}

/** The filter as the gateway takes it. */
export const filterOf = ({ list, attribute, value, q, hasConsent }: ContactsFilter) =>
  ({
    ...(list === '' ? {} : { list }),
    ...(attribute.trim() === '' ? {} : { attribute: `${attribute.trim()}:${value.trim()}` }),
    ...(q.trim() === '' ? {} : { q: q.trim() }),
    ...(hasConsent ? { has_consent: 'true' as const } : {}),
  }) satisfies DashboardQueryInput<'listContacts'>;

/** Somebody who types a filter asks the gateway only now and then. */
export function useContacts({ audience, contacts }: Draft) {
  const filter = useDeferredValue(contacts);
  const query = { ...filterOf(filter), limit: samples };
  return useQuery({ ...readQuery('listContacts', { query }), enabled: audience === 'contacts' });
}

function useContactList(draft: Draft): List {
  const { data } = useContacts(draft);
  return useMemo(() => {
    const contacts = data?.contacts ?? [];
    const people = contacts.map(({ phone, name, attributes }) => ({
      phone,
      cells: { ...attributes, name: name ?? '', phone },
    }));
    // An attribute whose name is no name of a variable cannot stand in a text.
    const attributes = contacts.flatMap((contact) => Object.keys(contact.attributes));
    const columns = [...new Set(['name', ...attributes.filter((key) => variableOf(key) === key)])];
    return { columns, people, isReady: contacts.length > 0 };
  }, [data]);
}

export function useList(draft: Draft): List {
  const file = useMemo(() => listOfFile(draft.file), [draft.file]);
  const lists = { file, paste: usePastedList(draft), contacts: useContactList(draft) };
  return lists[draft.audience];
}
