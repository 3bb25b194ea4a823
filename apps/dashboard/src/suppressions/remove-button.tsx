import type { SuppressionScope } from '@kurir/contracts/dashboard';
import { useState } from 'react';
import { useCall } from '../http/use-call.js';
import { useTexts } from '../i18n/texts.js';
import { Button } from '../ui/button.js';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.js';
import { toast } from '../ui/overlays/toasts.js';
import { suppressionTexts } from './texts.js';

/** `person` is a number, or the network's id of a person who hides it. */
type RemoveButtonProps = { person: string; scope: SuppressionScope; name: string };

export function RemoveButton({ person, scope, name }: RemoveButtonProps) {
  const t = useTexts(suppressionTexts);
  const [asking, setAsking] = useState(false);
  const remove = useCall('removeSuppression', ['listSuppressions']);
  const confirm = () =>
    remove.mutate(
      { params: { phone: person }, query: { scope } },
      {
        onSuccess: () => {
          setAsking(false);
          toast(t.removed);
        },
      },
    );
  return (
    <>
      <Button size="small" look="quiet" aria-label={t.allowNamed(t.allow[scope], name)} onClick={() => setAsking(true)}>
        {t.allow[scope]}
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t.removeTitle(name)}
        action={t.allow[scope]}
        onConfirm={confirm}
        busy={remove.isPending}
        failure={remove.error}
      >
        {t.removeNote}
      </ConfirmDialog>
    </>
  );
}
