import { useState } from 'react';
import { Field } from '../form/field.js';
import { Input } from '../form/input.js';
import { useCall } from '../http/use-call.js';
import { useTexts } from '../i18n/texts.js';
import { Button } from '../ui/button.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { Moment } from '../ui/moment.js';
import { Notice } from '../ui/notice.js';
import { toast } from '../ui/overlays/toasts.js';
import { gatewayTexts } from './gateway/texts.js';
import type { Account } from './rows.js';

/** An operator may be a member of the account. */
const stale = ['adminListAccounts', 'adminShowAccount', 'readMe'] as const;

type SuspensionProps = { account: Account; onChange: (account: Account) => void };

/** Shows whether the account is suspended, and changes that. */
export function Suspension({ account, onChange }: SuspensionProps) {
  const [isAsking, setAsking] = useState(false);
  const t = useTexts(gatewayTexts);
  if (account.suspended_at !== null)
    return <Suspended account={account} since={account.suspended_at} onChange={onChange} />;
  if (isAsking)
    return (
      <Suspending
        account={account}
        onChange={(changed) => {
          setAsking(false);
          onChange(changed);
        }}
      />
    );
  return (
    <div>
      <Button size="small" onClick={() => setAsking(true)}>
        {t.suspend}
      </Button>
    </div>
  );
}

function Suspended({ account, since, onChange }: SuspensionProps & { since: string }) {
  const t = useTexts(gatewayTexts);
  const resume = useCall('adminResumeAccount', stale);
  const end = () =>
    resume.mutate(
      { params: { account_id: account.account_id } },
      {
        onSuccess: (changed) => {
          toast(t.resumed);
          onChange(changed);
        },
      },
    );
  return (
    <div className="flex flex-col gap-3">
      <Notice
        tone="warn"
        title={t.suspended}
        action={
          <Button size="small" busy={resume.isPending} onClick={end}>
            {t.resume}
          </Button>
        }
      >
        {account.suspended_reason} <Moment at={since} />
      </Notice>
      <FailureNotice failure={resume.error} />
    </div>
  );
}

function Suspending({ account, onChange }: SuspensionProps) {
  const t = useTexts(gatewayTexts);
  const [reason, setReason] = useState('');
  const suspend = useCall('adminSuspendAccount', stale);
  const change = () =>
    suspend.mutate(
      { params: { account_id: account.account_id }, body: { reason } },
      {
        onSuccess: (changed) => {
          toast(t.suspendedNow);
          onChange(changed);
        },
      },
    );
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        change();
      }}
    >
      <Field label={t.suspendReason} hint={t.suspendNote}>
        {(links) => (
          <Input
            {...links}
            value={reason}
            maxLength={200}
            required
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </Field>
      <FailureNotice failure={suspend.error} />
      <Button type="submit" look="danger" busy={suspend.isPending} disabled={reason.trim() === ''}>
        {t.suspendNow}
      </Button>
    </form>
  );
}
