import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { UserPlus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { readQuery } from '../../http/query.js';
import { useTexts } from '../../i18n/texts.js';
import { MailboxLink } from '../../session/mailbox-link.js';
import { useMay } from '../../session/me.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Page } from '../../ui/layout/page.js';
import { Panel, PanelHead } from '../../ui/layout/panel.js';
import { SkeletonLines } from '../../ui/layout/skeleton.js';
import { AccountData } from '../data/account-data.js';
import { AccountName } from './account-name.js';
import { InvitationRow } from './invitation-row.js';
import { MemberRow } from './member-row.js';
import type { FewerRights } from './rows.js';
import { membersTexts } from './texts.js';

const FewerRightsDialog = lazy(async () => ({
  default: (await import('./fewer-rights-dialog.js')).FewerRightsDialog,
}));
const InviteDialog = lazy(async () => ({ default: (await import('./invite-dialog.js')).InviteDialog }));

export function MembersPage() {
  const t = useTexts(membersTexts);
  const isOwner = useMay('owner');
  const { invite: inviting = false } = useSearch({ from: '/signed-in/members' });
  const navigate = useNavigate({ from: '/members' });
  const setInviting = (open: boolean) => void navigate({ search: open ? { invite: true } : {} });
  const [losing, setLosing] = useState<FewerRights | null>(null);
  const { data, error, refetch } = useQuery(readQuery('listMembers', {}));
  const owners = data?.members.filter(({ role }) => role === 'owner') ?? [];
  const invite = isOwner && (
    <Button look="primary" onClick={() => setInviting(true)}>
      <UserPlus aria-hidden className="size-4" />
      {t.invite}
    </Button>
  );
  return (
    <Page title={t.title} note={t.note} actions={invite}>
      <FailureNotice failure={error} onRetry={refetch} />
      <Panel>
        {data === undefined && error === null && <SkeletonLines count={3} />}
        <ul>
          {data?.members.map((member) => (
            <MemberRow
              key={member.user_id}
              member={member}
              isOnlyOwner={member.role === 'owner' && owners.length === 1}
              onFewerRights={(role) => setLosing({ member, role })}
            />
          ))}
        </ul>
      </Panel>
      {data !== undefined && data.invitations.length > 0 && (
        <Panel>
          <PanelHead title={t.invitations} actions={<MailboxLink size="small" />} />
          <ul>
            {data.invitations.map((invitation) => (
              <InvitationRow key={invitation.invitation_id} invitation={invitation} />
            ))}
          </ul>
        </Panel>
      )}
      <AccountName />
      {isOwner && <AccountData />}
      {losing !== null && (
        <Suspense fallback={null}>
          <FewerRightsDialog {...losing} onClose={() => setLosing(null)} />
        </Suspense>
      )}
      {isOwner && inviting && (
        <Suspense fallback={null}>
          <InviteDialog open={inviting} onClose={() => setInviting(false)} />
        </Suspense>
      )}
    </Page>
  );
}
