import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatCount, formatMoment } from '../format/format.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { Moment } from '../ui/moment.js';
import { broadcastQuery } from './broadcast-queries.js';
import { type Broadcast, figuresOf } from './figures.js';
import { ProgressBar } from './progress-bar.js';
import { StateBadge } from './state-badge.js';
import { isBeforeStart } from './state.js';
import { broadcastTexts } from './texts.js';

export function BroadcastRow({ broadcast }: { broadcast: Broadcast }) {
  const { broadcast_id: broadcastId, name, state } = broadcast;
  return (
    <li className="border-t border-line first:border-t-0">
      <Link
        to="/broadcasts/$broadcastId"
        params={{ broadcastId }}
        className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 px-5 py-4 -outline-offset-2 hover:bg-sunken sm:grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)_9rem]"
      >
        <span className="min-w-0">
          <span className="block font-medium break-words">{name}</span>
          <span className="block text-sm text-ink-soft">
            <When broadcast={broadcast} />
          </span>
        </span>
        <span className="justify-self-end self-start sm:order-last sm:self-center">
          <StateBadge state={state} />
        </span>
        <span className="col-span-2 sm:col-span-1">
          <Progress broadcast={broadcast} />
        </span>
      </Link>
    </li>
  );
}

function When({ broadcast }: { broadcast: Broadcast }) {
  const t = useTexts(broadcastTexts);
  const language = useLanguage();
  const { state, send_at: sendAt, created_at: created, started_at: started, ended_at: ended } = broadcast;
  if (state === 'scheduled' && sendAt !== null) return t.startsAt(formatMoment(sendAt, language));
  const [word, at] =
    ended !== null
      ? [state === 'cancelled' ? t.cancelled : t.ended, ended]
      : started !== null
        ? [t.started, started]
        : [t.created, created];
  return (
    <>
      {word} <Moment at={at} />
    </>
  );
}

/** A broadcast that has not started shows only how long its list is. */
function Progress({ broadcast }: { broadcast: Broadcast }) {
  const t = useTexts(broadcastTexts);
  const language = useLanguage();
  const hasProgress = !isBeforeStart(broadcast.state) && broadcast.state !== 'scheduled';
  const { data } = useQuery({ ...broadcastQuery(broadcast.broadcast_id), enabled: hasProgress });
  const count = (value: number) => formatCount(value, language);
  const figures = hasProgress && data !== undefined ? figuresOf(data.counts) : null;
  return (
    <span className="flex flex-col gap-1.5 text-sm text-ink-soft tabular">
      {figures === null
        ? t.recipients(count(broadcast.recipients))
        : t.sentOf(count(figures.sent), count(figures.planned))}
      {figures !== null && <ProgressBar label={t.progress(broadcast.name)} figures={figures} />}
    </span>
  );
}
