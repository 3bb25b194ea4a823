import type { DashboardData } from '@kurir/contracts/dashboard';
import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from '../http/call.js';
import { queryKey, readQuery } from '../http/query.js';

export type Template = DashboardData<'getTemplate'>;
export type TemplateVersion = DashboardData<'listTemplateVersions'>['versions'][number];

export const templateQuery = (templateId: string) => readQuery('getTemplate', { params: { template_id: templateId } });

export const useVersions = (templateId: string) =>
  useInfiniteQuery({
    queryKey: [...queryKey('listTemplateVersions'), templateId],
    queryFn: ({ pageParam, signal }) =>
      call(
        'listTemplateVersions',
        { params: { template_id: templateId }, query: pageParam === null ? {} : { cursor: pageParam } },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
