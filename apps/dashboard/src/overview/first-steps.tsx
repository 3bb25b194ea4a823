import { Link, type LinkProps } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import { useTexts } from '../i18n/texts.js';
import { useMay, useMe } from '../session/me.js';
import { Button } from '../ui/button.js';
import { Panel } from '../ui/panel.js';
import type { Overview } from './overview-page.js';
import { overviewTexts } from './texts.js';

type Steps = Overview['first_steps'];
type Step = { name: 'link' | 'key' | 'send' | 'plan'; isDone: boolean; link: Pick<LinkProps, 'to' | 'search'> };

export const hasOpenSteps = (steps: Steps): boolean => Object.values(steps).some((done) => !done);

const stepsOf = (steps: Steps): Step[] => [
  { name: 'link', isDone: steps.device_linked, link: { to: '/devices', search: { add: true } } },
  { name: 'send', isDone: steps.message_sent, link: { to: '/send' } },
  { name: 'key', isDone: steps.key_created, link: { to: '/keys', search: { create: true } } },
  { name: 'plan', isDone: steps.plan_chosen, link: { to: '/billing' } },
];

/** The way of a new account, stop by stop; the first open one is the one to take. */
export function FirstSteps({ steps }: { steps: Steps }) {
  const t = useTexts(overviewTexts);
  const { sandbox } = useMe();
  const mayChange = useMay('developer');
  const list = stepsOf(steps);
  const next = list.find(({ isDone }) => !isDone)?.name;
  const done = list.filter(({ isDone }) => isDone).length;
  if (!mayChange) return null;
  return (
    <Panel className="px-5 py-5 sm:px-7">
      <p className="mb-5 flex items-center gap-3 text-sm text-ink-soft">
        <span aria-hidden className="h-1.5 w-28 overflow-hidden rounded-full bg-line">
          <span
            className="block h-full rounded-full bg-accent transition-[width]"
            style={{ width: `${(done / list.length) * 100}%` }}
          />
        </span>
        {t.stepsDone(done, list.length)}
      </p>
      <ol>
        {list.map((step, i) => (
          <Stop
            key={step.name}
            step={step}
            isNext={step.name === next}
            isLast={i === list.length - 1 && !(sandbox && steps.message_sent)}
          />
        ))}
        {sandbox && steps.message_sent && (
          <li className="relative pl-11">
            <span
              aria-hidden
              className="absolute left-0 grid size-7 place-items-center rounded-full border-[5px] border-[#f3b94d] bg-surface"
            />
            <div className="flex flex-wrap items-center justify-between gap-3">
              <div>
                <p className="font-semibold">{t.arrived}</p>
                <p className="text-sm text-ink-soft">{t.arrivedNote}</p>
              </div>
              <Button asChild>
                <Link to="/handset">{t.openHandset}</Link>
              </Button>
            </div>
          </li>
        )}
      </ol>
    </Panel>
  );
}

function Stop({ step, isNext, isLast }: { step: Step; isNext: boolean; isLast: boolean }) {
  const t = useTexts(overviewTexts);
  const [title, note, action] = t.steps[step.name].split('|');
  return (
    <li className="relative pb-7 pl-11 last:pb-0">
      {!isLast && (
        <span aria-hidden className="absolute top-8 bottom-1 left-[13px] border-l-2 border-dotted border-line-strong" />
      )}
      <span
        aria-hidden
        className={clsx(
          'absolute left-0 grid size-7 place-items-center rounded-full border-2 bg-surface',
          step.isDone ? 'border-ok bg-ok-soft text-ok' : isNext ? 'border-accent' : 'border-line-strong',
        )}
      >
        {step.isDone && <Check className="size-4" strokeWidth={3} />}
        {isNext && <span className="size-2.5 rounded-full bg-accent" />}
      </span>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0 flex-1 basis-64">
          <p className={clsx('font-semibold', step.isDone && 'text-ink-soft')}>
            {title}
            {step.isDone && <span className="sr-only"> ✓</span>}
          </p>
          {!step.isDone && <p className="text-sm text-ink-soft">{note}</p>}
        </div>
        {!step.isDone && (
          <Button asChild look={isNext ? 'primary' : 'secondary'}>
            <Link {...step.link}>{action}</Link>
          </Button>
        )}
      </div>
    </li>
  );
}
