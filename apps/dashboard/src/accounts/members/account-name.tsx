import { type FormEvent, useState } from 'react';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { useMay, useMe } from '../../session/me.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy-button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Field } from '../../form/field.js';
import { Input } from '../../form/input.js';
import { Panel } from '../../ui/layout/panel.js';
import { toast } from '../../ui/overlays/toasts.js';
import { AccountCountry } from './account-country.js';
import { membersTexts } from './texts.js';

export function AccountName() {
  const t = useTexts(membersTexts);
  const { account } = useMe();
  const isOwner = useMay('owner');
  const [name, setName] = useState(account.name);
  const rename = useCall('renameAccount', ['readMe']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate({ body: { name } }, { onSuccess: () => toast(t.renamed) });
  };
  return (
    <Panel className="flex flex-col gap-4 p-5">
      {isOwner && (
        <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
          <Field label={t.account} className="min-w-52 flex-1">
            {(links) => (
              <Input
                {...links}
                value={name}
                onChange={(event) => setName(event.target.value)}
                maxLength={64}
                required
              />
            )}
          </Field>
          <Button
            type="submit"
            className="h-10"
            busy={rename.isPending}
            disabled={name.trim() === '' || name === account.name}
          >
            {t.rename}
          </Button>
        </form>
      )}
      <FailureNotice failure={rename.error} />
      <AccountCountry />
      <p className="flex items-center text-sm text-ink-soft">
        <span className="shrink-0">{t.accountId}:</span>{' '}
        <code className="ml-2 min-w-0 truncate">{account.account_id}</code>
        <CopyButton text={account.account_id} iconOnly label={t.accountId} className="-my-1.5" />
      </p>
    </Panel>
  );
}
