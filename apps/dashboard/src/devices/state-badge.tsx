import { useTexts } from '../i18n/texts.js';
import { Badge } from '../ui/badge.js';
import { type DeviceState, isSettling, stateTexts, stateTones } from './state.js';

export function StateBadge({ state }: { state: DeviceState }) {
  const t = useTexts(stateTexts);
  return (
    <Badge tone={stateTones[state]} dot moving={isSettling(state)}>
      {t[state]}
    </Badge>
  );
}
