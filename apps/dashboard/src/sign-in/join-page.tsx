import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { readQuery } from '../http/query.js';
import { useCall } from '../http/use-call.js';
import { useTexts } from '../i18n/texts.js';
import { roleTexts } from '../session/role-texts.js';
import { meQuery } from '../session/me.js';
import { Button } from '../ui/button.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { SignInFrame } from './sign-in-frame.js';
import { signInTexts } from './texts.js';

export function JoinPage() {
  const t = useTexts(signInTexts);
  const roles = useTexts(roleTexts).roles;
  const { token } = useParams({ from: '/join/$token' });
  const invitation = useQuery(readQuery('readInvitation', { params: { token } }));
  const me = useQuery({ ...meQuery, retry: false, meta: { signedOutIsFine: true } });
  const client = useQueryClient();
  const navigate = useNavigate();
  const join = useCall('acceptInvitation');
  const accept = async () => {
    await join.mutateAsync({ params: { token } });
    client.clear();
    await navigate({ to: '/' });
  };
  const next = { next: `/join/${token}` };
  const { data } = invitation;
  return (
    <SignInFrame
      title={data === undefined ? t.join : t.joinTitle(data.account_name)}
      {...(data === undefined ? {} : { note: t.joinNote(data.email, roles[data.role]) })}
    >
      <FailureNotice failure={invitation.error ?? join.error} />
      {data !== undefined && me.isSuccess && (
        <Button look="primary" size="large" busy={join.isPending} onClick={() => void accept().catch(() => undefined)}>
          {t.join}
        </Button>
      )}
      {data !== undefined && me.isError && (
        <div className="flex flex-col gap-3">
          <p className="text-sm text-ink-soft">{t.joinSignIn}</p>
          <Button asChild look="primary" size="large">
            <Link to="/sign-up" search={next}>
              {t.create}
            </Link>
          </Button>
          <Button asChild size="large">
            <Link to="/sign-in" search={next}>
              {t.signIn}
            </Link>
          </Button>
        </div>
      )}
    </SignInFrame>
  );
}
