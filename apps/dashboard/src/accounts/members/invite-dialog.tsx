import { zodResolver } from '@hookform/resolvers/zod';
import { operationsForPeople, memberRoles } from '@kurir/contracts/dashboard';
import { useForm, useWatch } from 'react-hook-form';
import type { z } from 'zod';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Field } from '../../form/field.js';
import { Input } from '../../form/input.js';
import { Select } from '../../form/select.js';
import { toast } from '../../ui/overlays/toasts.js';
import { roleTexts } from '../../session/role-texts.js';
import { membersTexts } from './texts.js';

const schema = operationsForPeople.inviteMember.body;
type Body = z.output<typeof schema>;

export function InviteDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useTexts(membersTexts);
  return (
    <Dialog open={open} onClose={onClose} title={t.invite} note={t.inviteNote}>
      <InviteForm onDone={onClose} />
    </Dialog>
  );
}

function InviteForm({ onDone }: { onDone: () => void }) {
  const t = useTexts(membersTexts);
  const { roles, rights } = useTexts(roleTexts);
  const invite = useCall('inviteMember', ['listMembers']);
  const form = useForm<Body>({ resolver: zodResolver(schema), defaultValues: { email: '', role: 'developer' } });
  const [role, email] = useWatch({ control: form.control, name: ['role', 'email'] });
  const isEmpty = email.trim() === '';
  const submit = form.handleSubmit((body) =>
    invite.mutate(
      { body },
      {
        onSuccess: () => {
          toast(t.invited(body.email));
          onDone();
        },
      },
    ),
  );
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <Field label={t.email} error={form.formState.errors.email && (isEmpty ? t.required : t.emailWrong)}>
        {(links) => <Input {...links} {...form.register('email')} type="email" autoFocus autoComplete="off" />}
      </Field>
      <Field label={t.role} hint={rights[role]}>
        {(links) => (
          <Select {...links} {...form.register('role')}>
            {memberRoles.map((name) => (
              <option key={name} value={name}>
                {roles[name]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <FailureNotice failure={invite.error} />
      <Button type="submit" look="primary" size="large" busy={invite.isPending}>
        {t.send}
      </Button>
    </form>
  );
}
