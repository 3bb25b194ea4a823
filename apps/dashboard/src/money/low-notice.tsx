import { useQuery } from '@tanstack/react-query';
import { readQuery } from '../http/query.js';
import { useTexts } from '../i18n/texts.js';
import { Notice } from '../ui/notice.js';
import { lowTexts } from './low-texts.js';
import { RenewAction } from './renew-button.js';
import { lowOf } from './running-low.js';

/** Shows nothing while quota and days suffice. */
export function LowNotice() {
  const t = useTexts(lowTexts);
  const { data } = useQuery(readQuery('listPlans', {}));
  const low = data === undefined ? null : lowOf(data.subscription);
  if (low === null) return null;
  const isOver = low === 'ended' || low === 'noQuota';
  return (
    <Notice tone={isOver ? 'bad' : 'warn'} title={t.low[low]} action={<RenewAction size="small" />}>
      {t.notes[low]}
    </Notice>
  );
}
