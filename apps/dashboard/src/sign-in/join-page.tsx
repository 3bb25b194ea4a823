import type { DashboardData } from '@kurir/contracts/dashboard';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { signOut } from '../http/auth.js';
import { readQuery } from '../http/query.js';
import { useCall } from '../http/use-call.js';
import { useTexts } from '../i18n/texts.js';
import { roleTexts } from '../session/role-texts.js';
import { type Me, meQuery } from '../session/me.js';
import { Button } from '../ui/button.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { joinTexts } from './join-texts.js';
import { SignInFrame } from './sign-in-frame.js';
import { signInTexts } from './texts.js';

type Invitation = DashboardData<'readInvitation'>;

export function JoinPage() {
  const t = useTexts(joinTexts);
  const { roles, youMay } = useTexts(roleTexts);
  const { token } = useParams({ from: '/join/$token' });
  const invitation = useQuery(readQuery('readInvitation', { params: { token } }));
  const me = useQuery({ ...meQuery, retry: false, meta: { signedOutIsFine: true } });
  const { data } = invitation;
  return (
    <SignInFrame
      title={data === undefined ? t.join : t.joinTitle(data.account_name)}
      {...(data === undefined ? {} : { note: t.joinNote(data.email) })}
    >
      <FailureNotice failure={invitation.error} />
      {data !== undefined && (
        <div className="-mt-3 flex flex-col gap-2 text-sm text-ink-soft">
          {data.invited_by !== null && (
            <p>{t.invitedBy(data.invited_by.name, data.invited_by.email, data.account_name)}</p>
          )}
          <p>{t.youMay(roles[data.role], youMay[data.role])}</p>
        </div>
      )}
      {data !== undefined && me.isSuccess && <JoinAs me={me.data} invitation={data} token={token} />}
      {data !== undefined && me.isError && <Enter invitation={data} token={token} />}
    </SignInFrame>
  );
}

type JoinProps = { invitation: Invitation; token: string };

/** An invitation is for one address. */
function JoinAs({ me, invitation, token }: JoinProps & { me: Me }) {
  const t = useTexts(joinTexts);
  const client = useQueryClient();
  const navigate = useNavigate();
  const join = useCall('acceptInvitation');
  const accept = async () => {
    await join.mutateAsync({ params: { token } });
    client.clear();
    await navigate({ to: '/' });
  };
  const leave = async () => {
    await signOut();
    await client.resetQueries();
  };
  if (me.user.email.toLowerCase() !== invitation.email.toLowerCase()) {
    return (
      <div className="flex flex-col gap-3">
        <p className="text-sm text-ink-soft">{t.otherAddress(me.user.email)}</p>
        <Button size="large" onClick={() => void leave()}>
          {t.signOut}
        </Button>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <FailureNotice failure={join.error} />
      <Button look="primary" size="large" busy={join.isPending} onClick={() => void accept().catch(() => undefined)}>
        {t.join}
      </Button>
    </div>
  );
}

/** Both pages join the account after the sign-in. */
function Enter({ invitation, token }: JoinProps) {
  const t = useTexts(joinTexts);
  const { signIn, create } = useTexts(signInTexts);
  const next = { next: `/join/${token}` };
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm text-ink-soft">{invitation.registered ? t.joinSignIn : t.joinSignUp}</p>
      <Button asChild look="primary" size="large">
        {invitation.registered ? (
          <Link to="/sign-in" search={next}>
            {signIn}
          </Link>
        ) : (
          <Link to="/sign-up" search={next}>
            {create}
          </Link>
        )}
      </Button>
    </div>
  );
}
