import { useTexts } from '../i18n/texts.js';
import { Badge } from '../ui/badge.js';
import { type DeviceState, isSettling, stateTexts, stateTones } from './state.js';

/** `stopped` says that the device does not continue by itself, in any state. */
export function StateBadge({ state, stopped = false }: { state: DeviceState; stopped?: boolean }) {
  const t = useTexts(stateTexts);
  return (
    <Badge tone={stopped ? 'bad' : stateTones[state]} dot moving={!stopped && isSettling(state)}>
      {stopped ? t.stopped : t[state]}
    </Badge>
  );
}
