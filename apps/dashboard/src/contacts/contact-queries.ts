import type { DashboardData, DashboardQueryInput } from '@kurir/contracts/dashboard';
import { useInfiniteQuery } from '@tanstack/react-query';
import { formatPhone } from '../format/phone.js';
import { call } from '../http/call.js';
import { queryKey, readQuery } from '../http/query.js';

export type Contact = DashboardData<'getContact'>;
export type ContactQuery = NonNullable<DashboardQueryInput<'listContacts'>>;

/** The name, or else the number. */
export const nameOf = ({ name, phone }: Pick<Contact, 'name' | 'phone'>): string => name ?? formatPhone(phone);

export const contactQuery = (contactId: string) => readQuery('getContact', { params: { contact_id: contactId } });

export const listsQuery = () => readQuery('listContactLists', {});

const pageSize = 30;

/** By name. */
export const useContacts = (filter: ContactQuery) =>
  useInfiniteQuery({
    queryKey: [...queryKey('listContacts'), 'pages', filter],
    queryFn: ({ pageParam, signal }) =>
      call(
        'listContacts',
        { query: { ...filter, sort: 'name', limit: pageSize, ...(pageParam === null ? {} : { cursor: pageParam }) } },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });

/** The operations to read again after a change of contacts. */
export const afterChange = ['listContacts', 'listContactLists', 'getContact', 'nameContacts'] as const;
