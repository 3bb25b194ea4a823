import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import { toast } from '../../ui/overlays/toasts.js';
import type { Template } from '../template-queries.js';
import { templateTexts } from '../texts.js';

export function ArchiveButton({ template }: { template: Template }) {
  const t = useTexts(templateTexts);
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const archive = useCall('archiveTemplate', ['listTemplates']);
  const leave = () => {
    toast(t.archived);
    void navigate({ to: '/templates' });
  };
  return (
    <>
      <Button look="quiet-danger" onClick={() => setAsking(true)}>
        {t.archive}
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t.archiveTitle}
        action={t.archive}
        onConfirm={() => archive.mutate({ params: { template_id: template.template_id } }, { onSuccess: leave })}
        busy={archive.isPending}
        failure={archive.error}
      >
        {t.archiveNote}
      </ConfirmDialog>
    </>
  );
}
