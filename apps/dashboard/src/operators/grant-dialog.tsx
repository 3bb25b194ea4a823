import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readQuery } from '../http/query.js';
import { useCall } from '../http/use-call.js';
import { useTexts } from '../i18n/texts.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { Field } from '../form/field.js';
import { Select } from '../form/select.js';
import { toast } from '../ui/overlays/toasts.js';
import type { Account } from './rows.js';
import { operatorTexts } from './texts.js';

export function GrantDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const t = useTexts(operatorTexts);
  const plans = useQuery(readQuery('adminListPlans', {}));
  const [chosen, setChosen] = useState<string | null>(null);
  const grant = useCall('adminGrantPeriod', ['adminListAccounts']);
  const planId = chosen ?? plans.data?.plans[0]?.plan_id;
  const done = () => {
    toast(t.granted);
    onClose();
  };
  return (
    <Dialog open onClose={onClose} title={t.grantTitle(account.name)} note={t.grantNote}>
      <div className="flex flex-col gap-4">
        <Field label={t.plan}>
          {(links) => (
            <Select {...links} value={planId ?? ''} onChange={(event) => setChosen(event.target.value)}>
              {plans.data?.plans.map((plan) => (
                <option key={plan.plan_id} value={plan.plan_id}>
                  {plan.name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <FailureNotice failure={grant.error ?? plans.error} />
        <Button
          look="primary"
          size="large"
          busy={grant.isPending}
          disabled={planId === undefined}
          onClick={() =>
            planId !== undefined &&
            grant.mutate({ params: { account_id: account.account_id }, body: { plan_id: planId } }, { onSuccess: done })
          }
        >
          {t.grant}
        </Button>
      </div>
    </Dialog>
  );
}
