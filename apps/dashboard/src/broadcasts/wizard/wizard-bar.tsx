import { ArrowLeft, ArrowRight } from 'lucide-react';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { type Step, steps } from './steps.js';
import { wizardTexts } from './texts.js';

type WizardBarProps = { step: Step; mayGoOn: boolean; onGo: (step: Step) => void };

/** On a phone it lies at the bottom, where a thumb reaches it. */
export function WizardBar({ step, mayGoOn, onGo }: WizardBarProps) {
  const t = useTexts(wizardTexts);
  const at = steps.indexOf(step);
  const [before, after] = [steps[at - 1], steps[at + 1]];
  return (
    <div className="fixed inset-x-0 bottom-0 z-30 flex gap-2 border-t border-line bg-surface px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:static sm:z-auto sm:border-0 sm:bg-transparent sm:p-0">
      {before !== undefined && (
        <Button size="large" onClick={() => onGo(before)}>
          <ArrowLeft aria-hidden className="size-4" />
          {t.back}
        </Button>
      )}
      {after !== undefined && (
        <Button
          look="primary"
          size="large"
          className="flex-1 sm:ml-auto sm:flex-none"
          disabled={!mayGoOn}
          onClick={() => onGo(after)}
        >
          {t.next}
          <ArrowRight aria-hidden className="size-4" />
        </Button>
      )}
    </div>
  );
}
