import type { DashboardData } from '@kurir/contracts/dashboard';
import { useInfiniteQuery } from '@tanstack/react-query';
import { formatPhone } from '../format/phone.js';
import { call } from '../http/call.js';
import { queryKey, readQuery } from '../http/query.js';
import { useTexts } from '../i18n/texts.js';
import { useContactName } from '../people/contact-name.js';
import { conversationTexts } from './texts.js';

export type Conversation = DashboardData<'getConversation'>;
export type ListedConversation = DashboardData<'listConversations'>['conversations'][number];
export type Entry = DashboardData<'listConversationMessages'>['messages'][number];

export type ConversationFilter = { readonly unread?: 'true'; readonly device_id?: string; readonly q?: string };

type Named = Pick<Conversation, 'type' | 'name' | 'phone'>;

/** The name of the contact, else the name that the person shows, else the number. */
export function useNameOf({ type, name, phone }: Named): string {
  const t = useTexts(conversationTexts);
  const ofContact = useContactName(phone);
  const number = phone === null ? null : formatPhone(phone);
  return ofContact ?? name ?? number ?? (type === 'group' ? t.group : t.nobody);
}

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
