import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../http/call.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import { emptyDraft } from './draft/draft.js';
import { wizardTexts } from './texts.js';
import type { Drafting } from './draft/use-draft.js';

/** Throws away what was typed, and the draft of the gateway with it. */
export function DiscardButton({ drafting }: { drafting: Drafting }) {
  const t = useTexts(wizardTexts);
  const navigate = useNavigate({ from: '/broadcasts/new' });
  const [asking, setAsking] = useState(false);
  const { draft, discard } = drafting;
  const { created } = draft;
  const forget = useMutation({
    mutationFn: async () => {
      if (created !== null) await call('cancelBroadcast', { params: { broadcast_id: created.broadcastId } });
    },
    onSuccess: async () => {
      setAsking(false);
      await navigate({ search: {} });
      discard();
    },
  });
  if (JSON.stringify(draft) === JSON.stringify(emptyDraft)) return null;
  return (
    <>
      <Button look="quiet" onClick={() => setAsking(true)}>
        {t.discard}
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t.discardTitle}
        action={t.discardAction}
        onConfirm={() => forget.mutate()}
        busy={forget.isPending}
        failure={forget.error}
      >
        {t.discardNote}
      </ConfirmDialog>
    </>
  );
}
