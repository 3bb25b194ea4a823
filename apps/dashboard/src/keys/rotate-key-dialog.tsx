import type { DashboardData } from '@kurir/contracts/dashboard';
import { useState } from 'react';
import { useCall } from '../http/use-call.js';
import { useTexts } from '../i18n/texts.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { Field } from '../form/field.js';
import { Select } from '../form/select.js';
import type { ApiKey } from './rows.js';
import { keyTexts } from './texts.js';

const overlapHours = { none: 0, hour: 1, day: 24, week: 168 } as const;

type RotateKeyDialogProps = {
  apiKey: ApiKey;
  open: boolean;
  onClose: () => void;
  onRotated: (made: DashboardData<'rotateKey'>) => void;
};

export function RotateKeyDialog({ apiKey, open, onClose, onRotated }: RotateKeyDialogProps) {
  const t = useTexts(keyTexts);
  const [hours, setHours] = useState<number>(overlapHours.day);
  const rotate = useCall('rotateKey', ['listKeys']);
  const confirm = () =>
    rotate.mutate(
      { params: { api_key: apiKey.api_key }, body: { overlap_hours: hours } },
      {
        onSuccess: (made) => {
          onClose();
          onRotated(made);
        },
      },
    );
  return (
    <Dialog open={open} onClose={onClose} title={t.rotateTitle(apiKey.name)} note={t.rotateNote}>
      <div className="flex flex-col gap-5">
        <Field label={t.overlap}>
          {(links) => (
            <Select {...links} value={hours} onChange={(event) => setHours(Number(event.target.value))}>
              {(['day', 'week', 'hour', 'none'] as const).map((name) => (
                <option key={name} value={overlapHours[name]}>
                  {t.overlaps[name]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <FailureNotice failure={rotate.error} />
        <Button look="primary" size="large" busy={rotate.isPending} onClick={confirm}>
          {t.rotateNow}
        </Button>
      </div>
    </Dialog>
  );
}
