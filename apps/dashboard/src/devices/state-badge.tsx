import { useTexts } from '../i18n/texts.js';
import { Badge } from '../ui/badge.js';
import { type DeviceState, isSettling, stateTexts, stateTones } from './state.js';

/** `stopped`: it does not go on by itself, whatever its state. */
export function StateBadge({ state, stopped = false }: { state: DeviceState; stopped?: boolean }) {
  const t = useTexts(stateTexts);
  return (
    <Badge tone={stopped ? 'bad' : stateTones[state]} dot moving={!stopped && isSettling(state)}>
      {stopped ? t.stopped : t[state]}
    </Badge>
  );
}
