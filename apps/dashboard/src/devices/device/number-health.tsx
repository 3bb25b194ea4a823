/** How well the number of a device does: a word, its reasons with what to do, and the last 30 days. */
import { useQuery } from '@tanstack/react-query';
import { readQuery } from '../../http/query.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import { Badge } from '../../ui/badge.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Panel, PanelHead } from '../../ui/layout/panel.js';
import { SkeletonLines } from '../../ui/layout/skeleton.js';
import { Moment } from '../../ui/moment.js';
import { Notice } from '../../ui/notice.js';
import { type HealthAnswer, wordTexts, wordTones } from '../health-words.js';
import { DaysChart } from './days-chart.js';
import { numberHealthTexts } from './number-health-texts.js';

/** A worker counts the days as often. */
const refreshMs = 300_000;

export function NumberHealth({ deviceId }: { deviceId: string }) {
  const t = useTexts(numberHealthTexts);
  const words = useTexts(wordTexts);
  const { data, error, refetch } = useQuery({
    ...readQuery('deviceHealth', { params: { device_id: deviceId } }),
    refetchInterval: refreshMs,
  });
  // A number about which nothing is known is not good.
  const isKnown = data !== undefined && (data.counted_at !== null || data.health !== 'good');
  return (
    <Panel>
      <PanelHead
        title={t.title}
        note={isKnown ? t.notes[data.health] : undefined}
        actions={isKnown && <Badge tone={wordTones[data.health]}>{words[data.health]}</Badge>}
      />
      <div className="flex flex-col gap-4 px-5 pb-5">
        <FailureNotice failure={error} onRetry={refetch} />
        {data === undefined && error === null && <SkeletonLines count={3} />}
        {data?.reasons.map((one) => (
          <Reason key={one.reason} one={one} />
        ))}
        {data !== undefined && data.counted_at === null && <p className="text-sm text-ink-soft">{t.notCounted}</p>}
        {data !== undefined && data.counted_at !== null && (
          <>
            <DaysChart days={data.days} />
            <p className="text-xs text-ink-faint">
              {t.counted} <Moment at={data.counted_at} />
            </p>
          </>
        )}
      </div>
    </Panel>
  );
}

function Reason({ one: { reason, level, percent } }: { one: HealthAnswer['reasons'][number] }) {
  const t = useTexts(numberHealthTexts);
  const language = useLanguage();
  const share = new Intl.NumberFormat(language === 'id' ? 'id-ID' : 'en-GB').format(percent ?? 0);
  return <Notice tone={wordTones[level]}>{t.reasons[reason](share)}</Notice>;
}
