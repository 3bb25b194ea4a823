import { useQuery } from '@tanstack/react-query';
import { readQuery } from '../../http/query.js';

const shown = '100';

/** The names of the newest broadcasts, by id. */
export function useBroadcastNames(enabled: boolean): ReadonlyMap<string, string> {
  const { data } = useQuery({ ...readQuery('listBroadcasts', { query: { limit: shown } }), enabled });
  return new Map(data?.broadcasts.map(({ broadcast_id: id, name }) => [id, name]));
}
