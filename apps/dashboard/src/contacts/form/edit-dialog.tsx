import { type SyntheticEvent, useState } from 'react';
import { formatPhone } from '../../format/phone.js';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { toast } from '../../ui/overlays/toasts.js';
import { afterChange, type Contact } from '../contact-queries.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { changeOf, draftOf, isPossible } from './contact-draft.js';
import { ContactFields } from './contact-fields.js';
import { formTexts } from './texts.js';

export function EditDialog({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const t = useTexts(formTexts);
  const [draft, setDraft] = useState(() => draftOf(contact));
  const save = useCall('updateContact', afterChange);
  const change = changeOf(draft, contact);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (change === null || !isPossible(draft)) return;
    const said = () => {
      onClose();
      toast(t.saved);
    };
    save.mutate({ params: { contact_id: contact.contact_id }, body: change }, { onSuccess: said });
  };
  return (
    <Dialog open onClose={onClose} title={t.edit} note={formatPhone(contact.phone)}>
      <form noValidate className="flex flex-col gap-5" onSubmit={submit}>
        <ContactFields draft={draft} onChange={setDraft} />
        <FailureNotice failure={save.error} />
        <Button
          type="submit"
          look="primary"
          size="large"
          busy={save.isPending}
          disabled={change === null || !isPossible(draft)}
        >
          {t.save}
        </Button>
      </form>
    </Dialog>
  );
}
