import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { useTexts } from '../../i18n/texts.js';
import { Panel, PanelHead } from '../../ui/layout/panel.js';
import { toneDot } from '../../ui/tone.js';
import type { Counts } from '../figures.js';
import { useCount } from '../use-count.js';
import { linesOf, outcomeTones } from './outcomes.js';
import { liveTexts } from './texts.js';
import { useWords } from './use-words.js';

type OutcomePanelProps = { broadcastId: string; counts: Counts; chosen: string | undefined };

/** A line leads to the people who have its outcome. */
export function OutcomePanel({ broadcastId, counts, chosen }: OutcomePanelProps) {
  const t = useTexts(liveTexts);
  const words = useWords();
  const count = useCount();
  return (
    <Panel className="overflow-hidden">
      <PanelHead title={t.outcomes} note={t.outcomesNote} />
      <ul className="border-t border-line">
        {linesOf(counts).map(({ outcome, count: people, reasons }) => (
          <li key={outcome} className="border-b border-line last:border-0">
            <Link
              to="/broadcasts/$broadcastId"
              params={{ broadcastId }}
              search={{ outcome }}
              replace
              resetScroll={false}
              hash="people"
              className={clsx(
                'flex min-h-11 items-center gap-3 px-5 py-2 -outline-offset-2 hover:bg-sunken',
                chosen === outcome && 'bg-accent-soft hover:bg-accent-soft',
              )}
            >
              <span aria-hidden className={clsx('size-2 rounded-full', toneDot[outcomeTones[outcome]])} />
              <span className="flex-1 text-sm font-medium">{words.outcome(outcome)}</span>
              <span className="text-sm tabular">{count(people)}</span>
            </Link>
            {reasons.length > 0 && (
              <ul className="flex flex-col gap-1 px-5 pb-3 pl-10 text-sm text-ink-soft">
                {reasons.map(({ reason, count: some }) => (
                  <li key={reason} className="flex justify-between gap-4">
                    <span className="min-w-0 break-words">{words.reason(reason)}</span>
                    <span className="tabular">{count(some)}</span>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
