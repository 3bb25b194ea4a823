import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type SyntheticEvent, useState } from 'react';
import { Field } from '../../form/field.js';
import { Input } from '../../form/input.js';
import { ApiFailure } from '../../http/api-failure.js';
import { call } from '../../http/call.js';
import { queryKey } from '../../http/query.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { Notice } from '../../ui/notice.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { toast } from '../../ui/overlays/toasts.js';
import { afterChange, type Contact, nameOf } from '../contact-queries.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { bodyOf, type ContactDraft, emptyContact, isPossible } from './contact-draft.js';
import { ContactFields } from './contact-fields.js';
import { formTexts } from './texts.js';

/** Adds a contact. Returns the one that has this number already, which stays as it is. */
async function add(draft: ContactDraft): Promise<Contact | null> {
  const { contacts } = await call('listContacts', { query: { phone: draft.phone.trim(), limit: 1 } });
  const [before = null] = contacts;
  if (before === null) await call('saveContact', { body: bodyOf(draft) });
  return before;
}

function useAdd() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: add,
    onSuccess: () => Promise.all(afterChange.map((name) => client.invalidateQueries({ queryKey: queryKey(name) }))),
  });
}

type AddDialogProps = { /** The list that the page shows. */ list: string | undefined; onClose: () => void };

export function AddDialog({ list, onClose }: AddDialogProps) {
  const t = useTexts(formTexts);
  const [draft, setDraft] = useState<ContactDraft>({ ...emptyContact, lists: list === undefined ? [] : [list] });
  const { mutate, data: before = null, error, isPending } = useAdd();
  const isWrong = error instanceof ApiFailure && error.code === 'INVALID_PHONE_NUMBER';
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!isPossible(draft)) return;
    mutate(draft, {
      onSuccess: (found) => {
        if (found !== null) return;
        onClose();
        toast(t.added);
      },
    });
  };
  return (
    <Dialog open onClose={onClose} title={t.add} note={t.addNote}>
      <form noValidate className="flex flex-col gap-5" onSubmit={submit}>
        <Field label={t.phone} hint={t.phoneHint}>
          {(links) => (
            <Input
              {...links}
              type="tel"
              aria-invalid={isWrong}
              value={draft.phone}
              onChange={({ target }) => setDraft({ ...draft, phone: target.value })}
            />
          )}
        </Field>
        <ContactFields draft={draft} onChange={setDraft} />
        <FailureNotice failure={error} />
        {before !== null && <Exists contact={before} />}
        <Button type="submit" look="primary" size="large" busy={isPending} disabled={!isPossible(draft)}>
          {t.add}
        </Button>
      </form>
    </Dialog>
  );
}

function Exists({ contact }: { contact: Contact }) {
  const t = useTexts(formTexts);
  return (
    <Notice
      tone="warn"
      live
      action={
        <Button asChild size="small">
          <Link to="/contacts/$contactId" params={{ contactId: contact.contact_id }}>
            {t.open}
          </Link>
        </Button>
      }
    >
      {t.exists(nameOf(contact))}
    </Notice>
  );
}
