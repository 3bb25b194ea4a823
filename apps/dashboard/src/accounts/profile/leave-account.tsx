import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { readQuery } from '../../http/query.js';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { useMay, useMe } from '../../session/me.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Panel, PanelHead } from '../../ui/layout/panel.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import { leaveTo } from '../data/leave-to.js';
import { profileTexts } from './texts.js';

/** The only owner cannot leave, and reads here why and what to do. */
export function LeaveAccount() {
  const t = useTexts(profileTexts);
  const { account, accounts } = useMe();
  const [asking, setAsking] = useState(false);
  const maySeeMembers = useMay('viewer');
  const { data, error, refetch } = useQuery({ ...readQuery('listMembers', {}), enabled: maySeeMembers });
  const leave = useCall('leaveAccount');
  const owners = data?.members.filter(({ role }) => role === 'owner').length ?? 0;
  const isOnlyOwner = account.role === 'owner' && owners === 1;
  const confirm = () =>
    leave.mutate({ body: { account_id: account.account_id } }, { onSuccess: () => leaveTo('home') });
  return (
    <Panel>
      <PanelHead
        title={t.leave(account.name)}
        note={isOnlyOwner ? t.onlyOwner(account.name) : `${t.leaveNote} ${t.leaveKeys}`}
      />
      <div className="flex flex-wrap gap-2 px-5 pb-5">
        <FailureNotice failure={error} onRetry={refetch} />
        {isOnlyOwner && (
          <Button asChild>
            <Link to="/members">{t.toMembers}</Link>
          </Button>
        )}
        {(data !== undefined || !maySeeMembers) && !isOnlyOwner && (
          <Button look="quiet-danger" onClick={() => setAsking(true)}>
            {t.leaveAction}
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t.leaveTitle(account.name)}
        action={t.leaveAction}
        onConfirm={confirm}
        busy={leave.isPending || leave.isSuccess}
        failure={leave.error}
      >
        {t.leaveNote} {t.leaveKeys} {accounts.length === 1 && t.leaveLast}
      </ConfirmDialog>
    </Panel>
  );
}
