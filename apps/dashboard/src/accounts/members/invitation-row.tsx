import type { DashboardData } from '@kurir/contracts/dashboard';
import { useState } from 'react';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { useMay } from '../../session/me.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import { Moment } from '../../ui/moment.js';
import { roleTexts } from '../../session/role-texts.js';
import { membersTexts } from './texts.js';

type Invitation = DashboardData<'listMembers'>['invitations'][number];

export function InvitationRow({ invitation }: { invitation: Invitation }) {
  const t = useTexts(membersTexts);
  const { roles } = useTexts(roleTexts);
  const isOwner = useMay('owner');
  const [asking, setAsking] = useState(false);
  const revoke = useCall('revokeInvitation', ['listMembers']);
  const confirm = () =>
    revoke.mutate({ params: { invitation_id: invitation.invitation_id } }, { onSuccess: () => setAsking(false) });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-5 py-3 text-sm sm:gap-x-5">
      <span className="min-w-0 flex-1 basis-full truncate sm:basis-0" title={invitation.email}>
        {invitation.email}
      </span>
      <span className="text-ink-soft">{roles[invitation.role]}</span>
      <span className="text-ink-faint">
        {t.expires} <Moment at={invitation.expires_at} />
      </span>
      {isOwner && (
        <Button
          look="quiet"
          size="small"
          className="-mx-2.5 max-sm:ml-auto"
          onClick={() => setAsking(true)}
          aria-label={`${t.revoke}: ${invitation.email}`}
        >
          {t.revoke}
        </Button>
      )}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t.revokeTitle(invitation.email)}
        action={t.revoke}
        onConfirm={confirm}
        busy={revoke.isPending}
        failure={revoke.error}
      >
        {t.revokeNote}
      </ConfirmDialog>
    </li>
  );
}
