import type { PauseReason } from '@kurir/contracts/dashboard';
import type { Broadcast, CountedBroadcast } from '../figures.js';

export type ResumeScope = 'pending' | 'failed' | 'unknown';

/** After these pauses somebody must resume the broadcast. After the others it goes on by itself. */
const forPerson: Record<PauseReason, boolean> = {
  user: true,
  guard: true,
  window: false,
  no_device: false,
  quota: false,
};

export const isForPerson = ({ paused_by: reason }: Broadcast): boolean => reason !== null && forPerson[reason];

/** To whom the broadcast can send now. */
export function mayResume({ broadcast, counts }: CountedBroadcast): ResumeScope[] {
  const { state } = broadcast;
  const isPaused = state === 'paused' && isForPerson(broadcast);
  if (!isPaused && state !== 'finished') return [];
  const { failed = 0, unknown = 0 } = counts.messages;
  return [
    ...(isPaused ? (['pending'] as const) : []),
    ...(failed > 0 ? (['failed'] as const) : []),
    ...(unknown > 0 ? (['unknown'] as const) : []),
  ];
}
