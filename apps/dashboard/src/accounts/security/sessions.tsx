import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { currentSession, listSessions, revokeOtherSessions, revokeSession, type Session } from '../../http/auth.js';
import { useTexts } from '../../i18n/texts.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import { Moment } from '../../ui/moment.js';
import { Panel, PanelHead } from '../../ui/layout/panel.js';
import { SkeletonLines } from '../../ui/layout/skeleton.js';
import { toast } from '../../ui/overlays/toasts.js';
import { AuthNotice } from './auth-notice.js';
import { browserName } from './browser-name.js';
import { securityTexts } from './texts.js';

const sessionsKey = ['auth', 'sessions'];

async function readSessions() {
  const [sessions, current] = await Promise.all([listSessions(), currentSession()]);
  const isCurrent = (session: Session) => session.id === current?.session.id;
  return sessions
    .toSorted((a, b) => Number(isCurrent(b)) - Number(isCurrent(a)))
    .map((session) => ({ ...session, isCurrent: isCurrent(session) }));
}

export function Sessions() {
  const t = useTexts(securityTexts);
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const list = useQuery({ queryKey: sessionsKey, queryFn: readSessions });
  const endOthers = useMutation({
    mutationFn: revokeOtherSessions,
    onSuccess: async () => {
      setAsking(false);
      toast(t.endedOthers);
      await client.invalidateQueries({ queryKey: sessionsKey });
    },
  });
  return (
    <Panel>
      <PanelHead title={t.sessions} note={t.sessionsNote} />
      <AuthNotice failure={list.error} refused={t.failed} />
      {list.isPending && <SkeletonLines count={3} />}
      <ul>
        {list.data?.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      {(list.data?.length ?? 0) > 1 && (
        <div className="border-t border-line p-5">
          <Button onClick={() => setAsking(true)}>{t.endOthers}</Button>
        </div>
      )}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t.endOthersTitle}
        action={t.endOthers}
        onConfirm={() => endOthers.mutate()}
        busy={endOthers.isPending}
        failure={endOthers.error}
      >
        {t.endNote}
      </ConfirmDialog>
    </Panel>
  );
}

function SessionRow({ session }: { session: Session & { isCurrent: boolean } }) {
  const t = useTexts(securityTexts);
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const end = useMutation({
    mutationFn: () => revokeSession(session.token),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionsKey }),
  });
  const name = browserName(session.userAgent) ?? t.unknownBrowser;
  return (
    <li className="flex items-center gap-3 border-t border-line px-5 py-3 text-sm">
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2 font-medium">
          {name}
          {session.isCurrent && <Badge tone="ok">{t.thisOne}</Badge>}
        </p>
        <p className="text-ink-faint tabular">
          {session.ipAddress} {t.lastSeen} <Moment at={session.updatedAt} />
        </p>
      </div>
      {!session.isCurrent && (
        <Button look="quiet" size="small" onClick={() => setAsking(true)} aria-label={`${t.end}: ${name}`}>
          {t.end}
        </Button>
      )}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t.endTitle}
        action={t.end}
        onConfirm={() => end.mutate()}
        busy={end.isPending}
        failure={end.error}
      >
        {t.endNote}
      </ConfirmDialog>
    </li>
  );
}
