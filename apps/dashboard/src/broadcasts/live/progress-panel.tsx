import { formatMoment } from '../../format/format.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import { Panel } from '../../ui/layout/panel.js';
import { type CountedBroadcast, type Figures, figuresOf } from '../figures.js';
import { ProgressBar } from '../progress-bar.js';
import { useCount } from '../use-count.js';
import { broadcastTexts } from '../texts.js';
import { liveTexts } from './texts.js';

export function ProgressPanel({ found }: { found: CountedBroadcast }) {
  const t = useTexts(liveTexts);
  const list = useTexts(broadcastTexts);
  const count = useCount();
  const figures = figuresOf(found.counts);
  return (
    <Panel aria-label={t.progress} className="flex flex-col gap-4 p-5">
      <p className="flex flex-wrap items-baseline gap-x-2.5 tabular">
        <span className="text-3xl font-semibold">{count(figures.sent)}</span>
        <span className="text-lg text-ink-soft">
          {t.of(count(figures.planned))} {t.sent}
        </span>
        <span className="ml-auto text-sm text-ink-soft">{percent(figures)}</span>
      </p>
      <ProgressBar tall label={list.progress(found.broadcast.name)} figures={figures} />
      <Facts found={found} figures={figures} />
    </Panel>
  );
}

function percent({ left, planned }: Figures): string {
  return planned === 0 ? '' : `${Math.floor(((planned - left) / planned) * 100)}%`;
}

function Facts({ found, figures }: { found: CountedBroadcast; figures: Figures }) {
  const t = useTexts(liveTexts);
  const language = useLanguage();
  const count = useCount();
  const { broadcast, rate_per_minute: rate, ends_about: endsAbout } = found;
  const moment = (at: string) => formatMoment(at, language);
  const facts: [string, string][] = [];
  if (broadcast.started_at !== null) facts.push([t.startedAt, moment(broadcast.started_at)]);
  else if (broadcast.send_at !== null) facts.push([t.startsAt, moment(broadcast.send_at)]);
  if (rate !== null && rate >= 0.5) facts.push([t.rate, t.perMinute(count(Math.round(rate)))]);
  if (endsAbout !== null) facts.push([t.endsAbout, moment(endsAbout)]);
  if (broadcast.ended_at !== null) facts.push([t.endedAt, moment(broadcast.ended_at)]);
  return (
    <>
      <p className="text-sm text-ink-soft">{figures.left === 0 ? t.nothingLeft : t.left(count(figures.left))}</p>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 text-sm empty:hidden sm:grid-cols-4">
        {facts.map(([term, value]) => (
          <div key={term}>
            <dt className="text-xs text-ink-faint">{term}</dt>
            <dd className="font-medium tabular">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
