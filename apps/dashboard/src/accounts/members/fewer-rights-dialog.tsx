import { mayKnowKey } from '@kurir/contracts/dashboard';
import { useState } from 'react';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { roleTexts } from '../../session/role-texts.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { toast } from '../../ui/overlays/toasts.js';
import { KnownKeys } from './known-keys.js';
import type { FewerRights } from './rows.js';
import { membersTexts } from './texts.js';

type FewerRightsDialogProps = FewerRights & { onClose: () => void };

/** Asks before a member is removed or gets a lower role. It shows the keys that the member may not know any more. */
export function FewerRightsDialog({ member, role, onClose }: FewerRightsDialogProps) {
  const t = useTexts(membersTexts);
  const { roles } = useTexts(roleTexts);
  const [revokeKeys, setRevokeKeys] = useState(false);
  const stale = ['listMembers', 'readMe', 'listKeys'] as const;
  const remove = useCall('removeMember', stale);
  const change = useCall('changeRole', stale);
  const params = { user_id: member.user_id };
  const done = () => {
    onClose();
    toast(role === null ? t.removed(member.name) : t.roleChanged);
  };
  const confirm = () =>
    role === null
      ? remove.mutate({ params, body: { revoke_keys: revokeKeys } }, { onSuccess: done })
      : change.mutate({ params, body: { role, revoke_keys: revokeKeys } }, { onSuccess: done });
  return (
    <Dialog
      open
      onClose={onClose}
      title={role === null ? t.removeTitle(member.name) : t.lowerTitle(member.name, roles[role])}
      note={role === null ? t.removeNote : t.lowerNote}
    >
      <div className="flex flex-col gap-5">
        <KnownKeys
          member={member}
          mayKnow={(scopes) => role !== null && mayKnowKey(role, scopes)}
          revokeKeys={revokeKeys}
          onRevokeKeys={setRevokeKeys}
        />
        <FailureNotice failure={remove.error ?? change.error} />
        <div className="flex flex-row-reverse flex-wrap gap-2">
          <Button look="danger" busy={remove.isPending || change.isPending} onClick={confirm}>
            {role === null ? t.remove : t.lower}
          </Button>
          <Button onClick={onClose}>{t.keepMember}</Button>
        </div>
      </div>
    </Dialog>
  );
}
