import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import { useTexts } from '../i18n/texts.js';
import { useMay, useMe } from '../session/me.js';
import { Button } from '../ui/button.js';
import { Panel } from '../ui/layout/panel.js';
import type { Overview } from './overview.js';
import { type Step, stepsOf } from './steps.js';
import { reportTexts } from './texts.js';

/** The first steps of a new account. The first open step is marked as the next one. */
export function FirstSteps({ overview }: { overview: Overview }) {
  const mayChange = useMay('developer');
  const list = stepsOf(overview);
  const needed = list.filter(({ isOptional }) => !isOptional);
  const next = needed.find(({ isDone }) => !isDone)?.name;
  if (!mayChange) return null;
  return (
    <Panel className="px-5 py-5 sm:px-7">
      <Progress done={needed.filter(({ isDone }) => isDone).length} all={needed.length} />
      <ol>
        {list.map((step) => (
          <Stop key={step.name} step={step} isNext={step.name === next} />
        ))}
      </ol>
    </Panel>
  );
}

function Progress({ done, all }: { done: number; all: number }) {
  const t = useTexts(reportTexts);
  return (
    <p className="mb-5 flex items-center gap-3 text-sm text-ink-soft">
      <span aria-hidden className="h-1.5 w-28 overflow-hidden rounded-full bg-line">
        <span
          className="block h-full rounded-full bg-accent transition-[width]"
          style={{ width: `${(done / all) * 100}%` }}
        />
      </span>
      {t.stepsDone(done, all)}
    </p>
  );
}

function Stop({ step, isNext }: { step: Step; isNext: boolean }) {
  const t = useTexts(reportTexts);
  const [title, note] = t.steps[step.name].split('|');
  return (
    <li className="group relative pb-7 pl-11 last:pb-0">
      <span
        aria-hidden
        className="absolute top-8 bottom-1 left-[13px] border-l-2 border-dotted border-line-strong group-last:hidden"
      />
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
            {step.isOptional && <span className="font-normal text-ink-soft"> · {t.forProgrammers}</span>}
            {step.isDone && <span className="sr-only"> ✓</span>}
          </p>
          {!step.isDone && <p className="text-sm text-ink-soft">{note}</p>}
        </div>
        <StopButton step={step} isNext={isNext} />
      </div>
    </li>
  );
}

/** Links to the page of the step. In the sandbox, a sent message links to the phone that received it. */
function StopButton({ step, isNext }: { step: Step; isNext: boolean }) {
  const t = useTexts(reportTexts);
  const { sandbox } = useMe();
  if (!step.isDone) {
    return (
      <Button asChild look={isNext ? 'primary' : 'secondary'}>
        <Link {...step.link}>{t.steps[step.name].split('|')[2]}</Link>
      </Button>
    );
  }
  if (step.name !== 'send' || !sandbox) return null;
  return (
    <Button asChild>
      <Link to="/handset">{t.seeItArrive}</Link>
    </Button>
  );
}
