import { type MemberRole, memberRoles } from '@kurir/contracts/dashboard';
import { ShieldCheck } from 'lucide-react';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { isAtLeast, useMay, useMe } from '../../session/me.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Select } from '../../form/select.js';
import { toast } from '../../ui/overlays/toasts.js';
import { roleTexts } from '../../session/role-texts.js';
import type { Member } from './rows.js';
import { membersTexts } from './texts.js';

type MemberRowProps = {
  member: Member;
  /** The account needs an owner, so this one can neither be removed nor get a lower role. */
  isOnlyOwner: boolean;
  /** Asks before the member loses rights. The dialog must outlive this row. */
  onFewerRights: (role: MemberRole | null) => void;
};

export function MemberRow({ member, isOnlyOwner, onFewerRights }: MemberRowProps) {
  const t = useTexts(membersTexts);
  const { roles, rights } = useTexts(roleTexts);
  const me = useMe();
  const isOwner = useMay('owner');
  return (
    <li className="flex flex-wrap items-center gap-x-5 gap-y-2 border-b border-line px-5 py-3.5 last:border-0">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex items-center gap-2 font-medium">
          <span className="truncate">{member.name}</span>
          {member.user_id === me.user.user_id && <Badge>{t.you}</Badge>}
        </p>
        <p className="truncate text-sm text-ink-soft">{member.email}</p>
      </div>
      {member.two_factor && (
        <span className="flex items-center gap-1.5 text-sm text-ok">
          <ShieldCheck aria-hidden className="size-4" />
          {t.twoFactor}
        </span>
      )}
      {isOwner && !isOnlyOwner ? (
        <OwnersTools member={member} onFewerRights={onFewerRights} />
      ) : (
        <span className="text-sm text-ink-soft" title={rights[member.role]}>
          {isOnlyOwner ? t.onlyOwner : roles[member.role]}
        </span>
      )}
    </li>
  );
}

function OwnersTools({ member, onFewerRights }: Omit<MemberRowProps, 'isOnlyOwner'>) {
  const t = useTexts(membersTexts);
  const { roles } = useTexts(roleTexts);
  const changeRole = useCall('changeRole', ['listMembers', 'readMe']);
  const choose = (role: MemberRole) => {
    if (!isAtLeast(role, member.role)) return onFewerRights(role);
    const params = { user_id: member.user_id };
    return changeRole.mutate({ params, body: { role } }, { onSuccess: () => toast(t.roleChanged) });
  };
  return (
    <>
      <Select
        aria-label={t.roleOf(member.name)}
        value={member.role}
        disabled={changeRole.isPending}
        onChange={({ target }) => {
          const role = memberRoles.find((name) => name === target.value);
          if (role !== undefined) choose(role);
        }}
      >
        {memberRoles.map((role) => (
          <option key={role} value={role}>
            {roles[role]}
          </option>
        ))}
      </Select>
      <Button look="quiet" size="small" onClick={() => onFewerRights(null)} aria-label={`${t.remove}: ${member.name}`}>
        {t.remove}
      </Button>
      {changeRole.error !== null && (
        <div className="basis-full">
          <FailureNotice failure={changeRole.error} />
        </div>
      )}
    </>
  );
}
