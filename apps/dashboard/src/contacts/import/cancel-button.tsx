import { useState } from 'react';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import { resultTexts } from './texts.js';

export function CancelButton({ importId }: { importId: string }) {
  const t = useTexts(resultTexts);
  const [asking, setAsking] = useState(false);
  const cancel = useCall('cancelContactImport', ['getContactImport']);
  const act = () => cancel.mutate({ params: { import_id: importId } }, { onSuccess: () => setAsking(false) });
  return (
    <>
      <Button className="self-start" onClick={() => setAsking(true)}>
        {t.cancel}
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t.cancelTitle}
        action={t.cancel}
        onConfirm={act}
        busy={cancel.isPending}
        failure={cancel.error}
      >
        {t.cancelNote}
      </ConfirmDialog>
    </>
  );
}
