import { Link, useSearch } from '@tanstack/react-router';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Page } from '../../ui/layout/page.js';
import { Panel } from '../../ui/layout/panel.js';
import { Notice } from '../../ui/notice.js';
import { profileTexts } from './texts.js';

/** The person presses a button: a program that looks at the links of a mail must not change an address. */
export function ConfirmEmailPage() {
  const t = useTexts(profileTexts);
  const { token } = useSearch({ from: '/signed-in/confirm-email' });
  const confirm = useCall('confirmMyEmail', ['readMe', 'listMembers']);
  return (
    <Page title={t.confirmTitle} note={t.confirmNote}>
      <Panel className="flex max-w-xl flex-col items-start gap-4 p-5">
        {token === undefined && <Notice tone="bad">{t.noToken}</Notice>}
        <FailureNotice failure={confirm.error} />
        {confirm.isSuccess && (
          <Notice tone="ok" live>
            {t.confirmed(confirm.data.user.email)}
          </Notice>
        )}
        <div className="flex flex-wrap gap-2">
          {token !== undefined && !confirm.isSuccess && (
            <Button look="primary" busy={confirm.isPending} onClick={() => confirm.mutate({ body: { token } })}>
              {t.confirm}
            </Button>
          )}
          <Button asChild>
            <Link to="/profile">{t.toProfile}</Link>
          </Button>
        </div>
      </Panel>
    </Page>
  );
}
