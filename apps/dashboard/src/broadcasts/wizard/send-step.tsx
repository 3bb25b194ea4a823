import { useNavigate } from '@tanstack/react-router';
import { StartPanel } from '../check/start-panel.js';
import { TestPanel } from '../check/test-panel.js';
import { useCheck } from '../check/use-check.js';
import type { Drafting } from './draft/use-draft.js';

export function SendStep({ drafting }: { drafting: Drafting }) {
  const navigate = useNavigate();
  const { check } = useCheck(drafting.draft.created?.broadcastId ?? null);
  const open = async (broadcastId: string) => {
    // The page of the broadcast takes the place of the wizard, so that Back does not lead to an empty one.
    await navigate({ to: '/broadcasts/$broadcastId', params: { broadcastId }, replace: true });
    drafting.discard();
  };
  if (check === undefined) return null;
  return (
    <>
      <StartPanel check={check} onStarted={(broadcastId) => void open(broadcastId)} />
      <TestPanel broadcastId={check.broadcast.broadcast_id} />
    </>
  );
}
