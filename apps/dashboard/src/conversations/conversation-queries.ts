import type { DashboardData } from '@kurir/contracts/dashboard';
import { useInfiniteQuery } from '@tanstack/react-query';
import { formatPhone } from '../format/phone.js';
import { call } from '../http/call.js';
import { queryKey, readQuery } from '../http/query.js';

export type Conversation = DashboardData<'getConversation'>;
export type Entry = DashboardData<'listConversationMessages'>['messages'][number];

export type ConversationFilter = { readonly unread?: 'true'; readonly device_id?: string };

/** The name that the person shows, else the number. Null: both are unknown or erased. */
export const nameOf = ({ name, phone }: Pick<Conversation, 'name' | 'phone'>): string | null =>
  name ?? (phone === null ? null : formatPhone(phone));

export const conversationQuery = (conversationId: string) =>
  readQuery('getConversation', { params: { conversation_id: conversationId } });

/** The last active one comes first. */
export const useConversations = (filter: ConversationFilter) =>
  useInfiniteQuery({
    queryKey: [...queryKey('listConversations'), filter],
    queryFn: ({ pageParam, signal }) =>
      call('listConversations', { query: { ...filter, ...(pageParam === null ? {} : { cursor: pageParam }) } }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });

/** The newest one comes first. */
export const useEntries = (conversationId: string) =>
  useInfiniteQuery({
    queryKey: [...queryKey('listConversationMessages'), conversationId],
    queryFn: ({ pageParam, signal }) => {
      const query = pageParam === null ? {} : { cursor: pageParam };
      return call('listConversationMessages', { params: { conversation_id: conversationId }, query }, signal);
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
