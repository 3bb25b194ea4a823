import type { DashboardData } from '@kurir/contracts/dashboard';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryKey, readQuery } from '../../http/query.js';
import { afterChange } from '../contact-queries.js';

export type ContactImport = DashboardData<'getContactImport'>;

const runningMs = 1_000;

export const isRunning = ({ state }: Pick<ContactImport, 'state'>): boolean =>
  state === 'waiting' || state === 'running';

/** Reads an import again while it runs. After it, the lists of contacts are old. */
export function useImport(importId: string) {
  const client = useQueryClient();
  const query = useQuery({
    ...readQuery('getContactImport', { params: { import_id: importId } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data !== undefined && isRunning(state.data) ? runningMs : false),
  });
  const isOver = query.data !== undefined && !isRunning(query.data);
  useEffect(() => {
    if (!isOver) return;
    for (const name of afterChange) void client.invalidateQueries({ queryKey: queryKey(name) });
  }, [client, isOver]);
  return query;
}
