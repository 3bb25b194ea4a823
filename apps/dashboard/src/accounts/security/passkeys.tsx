import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { addPasskey, deletePasskey, listPasskeys, type Passkey } from '../../http/auth.js';
import { isUnconfirmed } from '../../http/confirmation.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import { Field } from '../../form/field.js';
import { Input } from '../../form/input.js';
import { Moment } from '../../ui/moment.js';
import { Panel, PanelHead } from '../../ui/layout/panel.js';
import { toast } from '../../ui/overlays/toasts.js';
import { PasskeyPlace } from '../../session/passkey-place.js';
import { passkeysKey } from '../../session/passkeys-key.js';
import { AuthNotice } from './auth-notice.js';
import { securityTexts } from './texts.js';

export function Passkeys() {
  const t = useTexts(securityTexts);
  const list = useQuery({ queryKey: passkeysKey, queryFn: listPasskeys });
  return (
    <Panel>
      <PanelHead title={t.passkeys} note={t.passkeysNote} />
      <ul>
        {list.data?.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} />
        ))}
      </ul>
      {list.data?.length === 0 && <p className="px-5 pb-3 text-sm text-ink-faint">{t.noPasskeys}</p>}
      <PasskeyPlace>
        <AddPasskey />
      </PasskeyPlace>
    </Panel>
  );
}

function AddPasskey() {
  const t = useTexts(securityTexts);
  const client = useQueryClient();
  const [name, setName] = useState('');
  const add = useMutation({
    mutationFn: () => addPasskey(name),
    onSuccess: async () => {
      setName('');
      toast(t.passkeyAdded);
      await client.invalidateQueries({ queryKey: passkeysKey });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <form className="flex flex-col gap-3 border-t border-line p-5" onSubmit={submit}>
      <div className="flex flex-wrap items-end gap-2">
        <Field label={t.passkeyName} className="min-w-40 flex-1">
          {(links) => (
            <Input
              {...links}
              value={name}
              onChange={(event) => setName(event.target.value)}
              placeholder={t.passkeyPlaceholder}
              maxLength={64}
              required
            />
          )}
        </Field>
        <Button type="submit" className="h-10" busy={add.isPending}>
          {t.addPasskey}
        </Button>
      </div>
      <AuthNotice failure={add.error} refused={t.failed} />
    </form>
  );
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const t = useTexts(securityTexts);
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => deletePasskey(passkey.id),
    onSuccess: () => client.invalidateQueries({ queryKey: passkeysKey }),
  });
  const name = passkey.name ?? t.unnamed;
  return (
    <li className="flex items-center gap-3 border-t border-line px-5 py-3 text-sm">
      <Fingerprint aria-hidden className="size-4.5 text-ink-faint" />
      <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
      <span className="text-ink-faint">
        <Moment at={passkey.createdAt} />
      </span>
      <Button look="quiet" size="small" onClick={() => setAsking(true)} aria-label={`${t.remove}: ${name}`}>
        {t.remove}
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t.removeTitle(name)}
        action={t.remove}
        onConfirm={() => remove.mutate()}
        busy={remove.isPending}
        failure={isUnconfirmed(remove.error) ? null : remove.error}
      >
        {t.removeNote}
      </ConfirmDialog>
    </li>
  );
}
