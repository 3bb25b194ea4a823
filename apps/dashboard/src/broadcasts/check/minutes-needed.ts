import type { Check } from './use-check.js';

/** How long the broadcast takes if all its devices send. Null: a device has no pace, and nor has the broadcast. */
export function minutesNeeded({ sendable, shares, broadcast }: Pick<Check, 'sendable' | 'shares' | 'broadcast'>) {
  const paces = shares.map(({ pace_per_minute: pace }) => pace);
  const known = paces.filter((pace) => pace !== null);
  const ofDevices = known.length === paces.length ? known.reduce((sum, pace) => sum + pace, 0) : null;
  const limits = [ofDevices, broadcast.pace_per_minute].filter((pace) => pace !== null && pace > 0);
  return limits.length === 0 ? null : Math.ceil(sendable / Math.min(...(limits as number[])));
}
