import { useTexts } from '../i18n/texts.js';
import { Badge } from '../ui/badge.js';
import { isMoving, type ShownStatus, statusTexts, statusTones } from './status.js';

export function StatusBadge({ status }: { status: ShownStatus }) {
  const t = useTexts(statusTexts);
  return (
    <Badge tone={statusTones[status]} dot moving={isMoving(status)}>
      {t[status]}
    </Badge>
  );
}
