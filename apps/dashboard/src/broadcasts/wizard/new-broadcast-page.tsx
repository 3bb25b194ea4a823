import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTexts } from '../../i18n/texts.js';
import { useMay } from '../../session/me.js';
import { Page } from '../../ui/layout/page.js';
import { Notice } from '../../ui/notice.js';
import { broadcastTexts } from '../texts.js';
import { CheckStep } from './check/check-step.js';
import { DiscardButton } from './discard-button.js';
import { MessageStep } from './message/message-step.js';
import { SendStep } from './send-step.js';
import { StepBar } from './step-bar.js';
import { isStep, openStep, type Step } from './steps.js';
import { wizardTexts } from './texts.js';
import { useDone } from './use-done.js';
import { contactsOf } from './draft/given-contacts.js';
import { type Drafting, useDraft } from './draft/use-draft.js';
import { WhomStep } from './whom/whom-step.js';
import { WizardBar } from './wizard-bar.js';

export function NewBroadcastPage() {
  const t = useTexts(wizardTexts);
  const list = useTexts(broadcastTexts);
  const maySend = useMay('developer');
  const drafting = useDraft();
  const back = (
    <Link
      to="/broadcasts"
      className="-my-2.5 inline-flex items-center gap-1.5 self-start py-2.5 text-sm text-ink-soft hover:text-ink"
    >
      <ArrowLeft aria-hidden className="size-4" />
      {list.title}
    </Link>
  );
  return (
    <Page title={t.title} before={back} actions={maySend ? <DiscardButton drafting={drafting} /> : undefined}>
      {maySend ? <Wizard drafting={drafting} /> : <Notice>{t.viewerOnly}</Notice>}
    </Page>
  );
}

/** The address has the step, so that the browser's own Back goes back one step. */
function Wizard({ drafting }: { drafting: Drafting }) {
  const search = useSearch({ from: '/signed-in/broadcasts/new' });
  const navigate = useNavigate({ from: '/broadcasts/new' });
  useGivenContacts(drafting);
  const done = useDone(drafting.draft);
  const asked = isStep(search.step) ? search.step : 'whom';
  const step = openStep(asked, done);
  useFocusOnStep(step);
  const go = (to: Step) => void navigate({ search: { step: to } });
  return (
    // Room for the bar at the bottom of a phone.
    <div className="flex flex-col gap-6 pb-20 *:min-w-0 sm:pb-0">
      <StepBar step={step} done={done} onGo={go} />
      {step === 'whom' && <WhomStep drafting={drafting} />}
      {step === 'message' && <MessageStep drafting={drafting} />}
      {step === 'check' && <CheckStep drafting={drafting} />}
      {step === 'send' && <SendStep drafting={drafting} />}
      <WizardBar step={step} mayGoOn={done[step]} onGo={go} />
    </div>
  );
}

/** Takes the contacts of the address into the draft once. The message that somebody typed stays. */
function useGivenContacts({ change }: Drafting): void {
  const search = useSearch({ from: '/signed-in/broadcasts/new' });
  const navigate = useNavigate({ from: '/broadcasts/new' });
  const contacts = contactsOf(search);
  const isTaken = useRef(false);
  useEffect(() => {
    // The page is drawn again before the address has changed.
    if (contacts === null || isTaken.current) return;
    isTaken.current = true;
    change({ audience: 'contacts', contacts });
    void navigate({ search: {}, replace: true });
  });
}

/** A screen reader hears the new step, and a phone shows its beginning. */
function useFocusOnStep(step: Step): void {
  const before = useRef(step);
  useEffect(() => {
    if (before.current === step) return;
    before.current = step;
    document.getElementById('step')?.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }, [step]);
}
