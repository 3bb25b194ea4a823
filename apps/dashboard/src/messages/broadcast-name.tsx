import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { shortenId } from '../format/format.js';
import { readQuery } from '../http/query.js';

/** Links the broadcast by its name. */
export function BroadcastName({ broadcastId }: { broadcastId: string }) {
  const { data } = useQuery(readQuery('getBroadcast', { params: { broadcast_id: broadcastId } }));
  return (
    <Link to="/broadcasts/$broadcastId" params={{ broadcastId }} className="text-accent hover:underline">
      {data?.broadcast.name ?? shortenId(broadcastId)}
    </Link>
  );
}
