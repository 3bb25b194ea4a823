import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { queryKey } from '../../http/query.js';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import { toast } from '../../ui/overlays/toasts.js';
import { type Contact, nameOf } from '../contact-queries.js';
import { personTexts } from './texts.js';

export function DeleteButton({ contact }: { contact: Contact }) {
  const t = useTexts(personTexts);
  const client = useQueryClient();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const remove = useCall('deleteContact', ['listContacts', 'listContactLists', 'nameContacts']);
  const params = { contact_id: contact.contact_id };
  const said = async () => {
    toast(t.deleted);
    await navigate({ to: '/contacts', replace: true });
    client.removeQueries({ queryKey: queryKey('getContact', { params }) });
  };
  return (
    <>
      <Button look="quiet-danger" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden className="size-4" />
        {t.delete}
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t.deleteTitle(nameOf(contact))}
        action={t.delete}
        onConfirm={() => remove.mutate({ params }, { onSuccess: () => void said() })}
        busy={remove.isPending}
        failure={remove.error}
      >
        {t.deleteNote}
      </ConfirmDialog>
    </>
  );
}
