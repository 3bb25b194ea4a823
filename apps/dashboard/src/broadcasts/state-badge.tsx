import type { BroadcastState } from '@kurir/contracts/dashboard';
import { useTexts } from '../i18n/texts.js';
import { Badge } from '../ui/badge.js';
import { isMoving, stateTexts, stateTones } from './state.js';

export function StateBadge({ state }: { state: BroadcastState }) {
  const t = useTexts(stateTexts);
  return (
    <Badge tone={stateTones[state]} dot moving={isMoving(state)}>
      {t[state]}
    </Badge>
  );
}
