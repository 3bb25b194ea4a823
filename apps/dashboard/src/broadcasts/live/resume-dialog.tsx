import { useState } from 'react';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { Notice } from '../../ui/notice.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { toast } from '../../ui/overlays/toasts.js';
import { BroadcastFailure } from '../failure.js';
import { type Counts, figuresOf } from '../figures.js';
import { useCount } from '../use-count.js';
import type { ResumeScope } from './resume.js';
import { liveTexts } from './texts.js';

type ResumeDialogProps = {
  broadcastId: string;
  counts: Counts;
  scopes: readonly ResumeScope[];
  onClose: () => void;
};

/** Asks to whom it goes on, and warns before somebody may get a message twice. */
export function ResumeDialog({ broadcastId, counts, scopes, onClose }: ResumeDialogProps) {
  const t = useTexts(liveTexts);
  const count = useCount();
  const [scope, setScope] = useState<ResumeScope>(scopes[0] ?? 'pending');
  const resume = useCall('resumeBroadcast', ['getBroadcast', 'listBroadcasts', 'listBroadcastRecipients']);
  const said = () => {
    onClose();
    toast(t.resumed);
  };
  const { failed = 0, unknown = 0 } = counts.messages;
  const choices: Record<ResumeScope, string> = {
    pending: t.againPending(count(figuresOf(counts).left)),
    failed: t.againFailed(count(failed)),
    unknown: t.againUnknown(count(unknown)),
  };
  return (
    <Dialog open onClose={onClose} title={t.againTitle}>
      <div className="flex flex-col gap-4">
        <fieldset className="flex flex-col gap-2">
          <legend className="sr-only">{t.againTitle}</legend>
          {scopes.map((one) => (
            <label
              key={one}
              className="flex min-h-12 cursor-pointer items-center gap-3 rounded-md border border-line-strong px-3.5 py-2.5 text-sm has-checked:border-accent has-checked:bg-accent-soft"
            >
              <input
                type="radio"
                name="scope"
                className="size-5 shrink-0 accent-accent"
                checked={scope === one}
                onChange={() => setScope(one)}
              />
              {choices[one]}
            </label>
          ))}
        </fieldset>
        {scope === 'failed' && <Notice>{t.againFailedNote}</Notice>}
        {scope === 'unknown' && <Notice tone="warn">{t.againUnknownNote}</Notice>}
        <BroadcastFailure failure={resume.error} />
        <Button
          look="primary"
          size="large"
          busy={resume.isPending}
          onClick={() => resume.mutate({ params: { broadcast_id: broadcastId }, body: { scope } }, { onSuccess: said })}
        >
          {scope === 'pending' ? t.resume : t.againAction}
        </Button>
      </div>
    </Dialog>
  );
}
