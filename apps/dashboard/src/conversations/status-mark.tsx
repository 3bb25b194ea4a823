import { Check, CheckCheck, CircleAlert, Clock } from 'lucide-react';
import { type ShownStatus, statusTexts } from '../messages/status.js';
import { useTexts } from '../i18n/texts.js';

const icons: Record<ShownStatus, typeof Check> = {
  scheduled: Clock,
  queued: Clock,
  sending: Clock,
  sent: Check,
  delivered: CheckCheck,
  read: CheckCheck,
  failed: CircleAlert,
  expired: CircleAlert,
  cancelled: CircleAlert,
  unknown: CircleAlert,
};

const arrived: ReadonlySet<ShownStatus> = new Set(['sent', 'delivered', 'read']);

/** A sign for a status that everybody expects, and also its word for one that nobody does. */
export function StatusMark({ status }: { status: ShownStatus }) {
  const t = useTexts(statusTexts);
  const Icon = icons[status];
  return (
    <span className="inline-flex items-center gap-1">
      <Icon aria-hidden className={status === 'read' ? 'size-3.5 text-accent' : 'size-3.5'} />
      <span className={arrived.has(status) ? 'sr-only' : undefined}>{t[status]}</span>
    </span>
  );
}
