import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import { useTexts } from '../../i18n/texts.js';
import { openStep, type Step, steps } from './steps.js';
import { wizardTexts } from './texts.js';

type StepBarProps = { step: Step; done: Readonly<Record<Step, boolean>>; onGo: (step: Step) => void };

/** On a phone it names only the present step. */
export function StepBar({ step, done, onGo }: StepBarProps) {
  const t = useTexts(wizardTexts);
  const at = steps.indexOf(step);
  return (
    <div className="flex flex-col gap-2.5">
      <h2 id="step" tabIndex={-1} className="outline-none sm:sr-only">
        <span className="text-sm text-ink-soft">{t.stepOf(at + 1, steps.length)}</span>{' '}
        <span className="text-lg font-semibold">{t.steps[step]}</span>
      </h2>
      <ol className="-mb-6 grid grid-cols-4 gap-2 sm:mb-0">
        {steps.map((one, i) => {
          const isDone = i < at;
          const mayOpen = openStep(one, done) === one;
          return (
            <li key={one}>
              <button
                type="button"
                aria-current={one === step ? 'step' : undefined}
                disabled={!mayOpen}
                onClick={() => onGo(one)}
                className={clsx(
                  'flex h-10 w-full items-start gap-1.5 border-t-4 pt-2 text-left text-sm disabled:cursor-default',
                  i <= at ? 'border-accent' : 'border-line-strong',
                  one === step ? 'font-semibold' : 'text-ink-soft',
                )}
              >
                {isDone && <Check aria-hidden className="mt-0.5 hidden size-4 text-accent sm:block" />}
                <span className="sr-only sm:not-sr-only">
                  {i + 1}. {t.steps[one]}
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
