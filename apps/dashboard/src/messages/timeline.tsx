import { clsx } from 'clsx';
import { formatExactMoment, formatPreciseClock, formatSpan } from '../format/format.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { toneDot } from '../ui/tone.js';
import { Moment } from '../ui/moment.js';
import { reasonSentence, reasonTexts, waitingTexts } from './reasons.js';
import { type MessageDetail, statusTexts, statusTones } from './status.js';
import { type Step, stepsOf, wholeMs } from './steps.js';
import { messageTexts } from './texts.js';

const openEnds = ['queued', 'scheduled', 'sending', 'sent'] as const;

/** Shows each step of a message with its time and how long it took. */
export function Timeline({ message }: { message: MessageDetail }) {
  const t = useTexts(messageTexts);
  const steps = stepsOf(message.timeline);
  const whole = wholeMs(message.timeline);
  const open = openEnds.find((status) => status === message.status);
  return (
    <div>
      <ol>
        {steps.map((step, i) => (
          <Stop
            key={`${step.status} ${step.at}`}
            step={step}
            isFirst={i === 0}
            isLast={i === steps.length - 1 && open === undefined}
          />
        ))}
        {open !== undefined && (
          <li className="relative flex items-center gap-4 pb-1 pl-7 text-sm text-ink-faint">
            <span
              aria-hidden
              className="absolute left-[3px] size-2.5 animate-breathe rounded-full border-2 border-line-strong bg-surface"
            />
            {message.waiting === null ? t.waits[open] : <Waiting waiting={message.waiting} />}
          </li>
        )}
      </ol>
      {whole !== null && (
        <p className="mt-3 border-t border-line pt-3 text-right text-sm font-medium tabular">
          {t.total(formatSpan(whole))}
        </p>
      )}
    </div>
  );
}

function Waiting({ waiting: { reason, until } }: { waiting: NonNullable<MessageDetail['waiting']> }) {
  const t = useTexts(messageTexts);
  const reasons = useTexts(waitingTexts);
  return (
    <span>
      {reasons[reason]}{' '}
      {until === null ? (
        t.goesOnUnknown
      ) : (
        <>
          {t.goesOn} <Moment at={until} />.
        </>
      )}
    </span>
  );
}

function Stop({ step, isFirst, isLast }: { step: Step; isFirst: boolean; isLast: boolean }) {
  const t = useTexts(messageTexts);
  const statuses = useTexts(statusTexts);
  const reasons = useTexts(reasonTexts);
  const language = useLanguage();
  return (
    <li className="relative pb-5 pl-7 last:pb-1">
      {!isLast && (
        <span
          aria-hidden
          className="absolute top-3 bottom-[-6px] left-[7px] border-l-2 border-dotted border-line-strong"
        />
      )}
      <span
        aria-hidden
        className={clsx(
          'absolute top-1.5 left-[3px] size-2.5 rounded-full ring-3 ring-surface',
          toneDot[statusTones[step.status]],
        )}
      />
      <div className="flex items-baseline justify-between gap-4 text-sm">
        <span className="font-medium">{isFirst && step.status === 'queued' ? t.accepted : statuses[step.status]}</span>
        <span className="flex items-baseline gap-3 tabular">
          {step.tookMs !== null && <span className="text-xs text-ink-faint">+{formatSpan(step.tookMs)}</span>}
          <time
            dateTime={step.at}
            title={formatExactMoment(step.at, language)}
            className="font-mono text-xs text-ink-soft"
          >
            {formatPreciseClock(step.at)}
          </time>
        </span>
      </div>
      {step.reason !== null && <p className="mt-0.5 text-sm text-ink-soft">{reasonSentence(step.reason, reasons)}</p>}
    </li>
  );
}
