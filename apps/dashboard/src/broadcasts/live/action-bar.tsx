import { Pause, Pencil, Play, RotateCw, X } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { toast } from '../../ui/overlays/toasts.js';
import { BroadcastFailure } from '../failure.js';
import type { CountedBroadcast } from '../figures.js';
import { isBeforeStart, isOver } from '../state.js';
import { CancelDialog } from './cancel-dialog.js';
import { isForPerson, mayResume, type ResumeScope } from './resume.js';
import { liveTexts } from './texts.js';

const EditDialog = lazy(async () => ({ default: (await import('./edit-dialog.js')).EditDialog }));
const ResumeDialog = lazy(async () => ({ default: (await import('./resume-dialog.js')).ResumeDialog }));

type Open = 'edit' | 'resume' | 'cancel' | null;

/** On a phone it lies at the bottom, where a thumb reaches it. */
export function ActionBar({ found }: { found: CountedBroadcast }) {
  const t = useTexts(liveTexts);
  const [open, setOpen] = useState<Open>(null);
  const { broadcast, counts } = found;
  const close = () => setOpen(null);
  const scopes = mayResume(found);
  const isChangeable = !isOver(broadcast.state);
  if (!isChangeable && scopes.length === 0) return null;
  return (
    <>
      <div
        role="group"
        aria-label={t.actions}
        className="fixed inset-x-0 bottom-0 z-30 flex flex-wrap items-center gap-2 border-t border-line bg-surface px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:static sm:z-auto sm:border-0 sm:bg-transparent sm:p-0"
      >
        <PauseButton found={found} />
        {scopes.length > 0 && <ResumeButton found={found} scopes={scopes} onAsk={() => setOpen('resume')} />}
        {isChangeable && (
          <>
            <Button onClick={() => setOpen('edit')}>
              <Pencil aria-hidden className="hidden size-4 sm:block" />
              {t.edit}
            </Button>
            <Button look="quiet-danger" onClick={() => setOpen('cancel')}>
              <X aria-hidden className="hidden size-4 sm:block" />
              {t.cancel}
            </Button>
          </>
        )}
      </div>
      <CancelDialog open={open === 'cancel'} found={found} onClose={close} />
      <Suspense fallback={null}>
        {open === 'edit' && <EditDialog broadcast={broadcast} onClose={close} />}
        {open === 'resume' && (
          <ResumeDialog broadcastId={broadcast.broadcast_id} counts={counts} scopes={scopes} onClose={close} />
        )}
      </Suspense>
    </>
  );
}

type ResumeButtonProps = { found: CountedBroadcast; scopes: readonly ResumeScope[]; onAsk: () => void };

/** Asks only if there is a choice, or if somebody may get a message twice. */
function ResumeButton({ found: { broadcast }, scopes, onAsk }: ResumeButtonProps) {
  const t = useTexts(liveTexts);
  const resume = useCall('resumeBroadcast', ['getBroadcast', 'listBroadcasts', 'listBroadcastRecipients']);
  const goesOn = scopes.includes('pending');
  const act = () =>
    resume.mutate(
      { params: { broadcast_id: broadcast.broadcast_id }, body: { scope: 'pending' } },
      { onSuccess: () => toast(t.resumed) },
    );
  return (
    <>
      <Failed failure={resume.error} />
      <Button
        look="primary"
        className="flex-1 sm:flex-none"
        busy={resume.isPending}
        onClick={goesOn && scopes.length === 1 ? act : onAsk}
      >
        {goesOn ? <Play aria-hidden className="size-4" /> : <RotateCw aria-hidden className="size-4" />}
        {goesOn ? t.resume : t.again}
      </Button>
    </>
  );
}

const Failed = ({ failure }: { failure: Error | null }) =>
  failure !== null && (
    <div className="w-full">
      <BroadcastFailure failure={failure} />
    </div>
  );

/** A broadcast that would go on by itself can be kept paused, too. */
function PauseButton({ found: { broadcast } }: { found: CountedBroadcast }) {
  const t = useTexts(liveTexts);
  const pause = useCall('pauseBroadcast', ['getBroadcast', 'listBroadcasts']);
  const { state } = broadcast;
  const isPaused = state === 'paused';
  if (isBeforeStart(state) || isOver(state) || (isPaused && isForPerson(broadcast))) return null;
  const act = () =>
    pause.mutate({ params: { broadcast_id: broadcast.broadcast_id } }, { onSuccess: () => toast(t.paused) });
  return (
    <>
      <Failed failure={pause.error} />
      <Button
        look={isPaused ? 'secondary' : 'primary'}
        className="flex-1 sm:flex-none"
        busy={pause.isPending}
        onClick={act}
      >
        <Pause aria-hidden className="size-4" />
        {isPaused ? t.keepPaused : t.pause}
      </Button>
    </>
  );
}
