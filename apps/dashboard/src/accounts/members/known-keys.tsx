import type { DashboardData } from '@kurir/contracts/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readQuery } from '../../http/query.js';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { NewSecretDialog } from '../../keys/new-secret-dialog.js';
import { RotateKeyDialog } from '../../keys/rotate-key-dialog.js';
import { type ApiKey, isKnownTo } from '../../keys/rows.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { SkeletonLines } from '../../ui/layout/skeleton.js';
import { Moment, useNow } from '../../ui/moment.js';
import type { Member } from './rows.js';
import { membersTexts } from './texts.js';

type KnownKeysProps = {
  member: Member;
  mayKnow: (scopes: readonly string[]) => boolean;
  revokeKeys: boolean;
  onRevokeKeys: (next: boolean) => void;
};

/** The live keys whose secret the member saw and may not know any more. Each can be rotated or revoked here. */
export function KnownKeys({ member, mayKnow, revokeKeys, onRevokeKeys }: KnownKeysProps) {
  const t = useTexts(membersTexts);
  const now = useNow();
  const { data, error, refetch } = useQuery(readQuery('listKeys', {}));
  const [rotating, setRotating] = useState<ApiKey | null>(null);
  const [made, setMade] = useState<DashboardData<'rotateKey'> | null>(null);
  const known = data?.keys.filter((key) => isKnownTo(key, member.user_id, now) && !mayKnow(key.scopes)) ?? [];
  if (error !== null) return <FailureNotice failure={error} onRetry={refetch} />;
  if (data === undefined) return <SkeletonLines count={1} />;
  return (
    <>
      {known.length === 0 && <p className="text-sm text-ink-soft">{t.knowsNoKeys}</p>}
      {known.length > 0 && (
        <section className="flex flex-col gap-3" aria-label={t.knownKeys}>
          <p className="text-sm">{t.knownKeysNote}</p>
          <ul className="rounded-md border border-line">
            {known.map((key) => (
              <KnownKey key={key.api_key} apiKey={key} userId={member.user_id} onRotate={() => setRotating(key)} />
            ))}
          </ul>
          <label className="flex cursor-pointer items-start gap-2 text-sm">
            <input
              type="checkbox"
              checked={revokeKeys}
              onChange={({ target }) => onRevokeKeys(target.checked)}
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            {t.revokeKeys(known.length)}
          </label>
        </section>
      )}
      {rotating !== null && (
        <RotateKeyDialog apiKey={rotating} open onClose={() => setRotating(null)} onRotated={setMade} />
      )}
      <NewSecretDialog made={made} onClose={() => setMade(null)} />
    </>
  );
}

type KnownKeyProps = { apiKey: ApiKey; userId: string; onRotate: () => void };

function KnownKey({ apiKey, userId, onRotate }: KnownKeyProps) {
  const t = useTexts(membersTexts);
  const revoke = useCall('revokeKey', ['listKeys', 'readOverview']);
  /** The secret that the member saw, if a rotation has ended it already. */
  const ending = apiKey.secrets.find(({ created_by: saw, expires_at: endsAt }) => saw === userId && endsAt !== null);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3.5 py-2.5 text-sm last:border-0">
      <div className="min-w-0 flex-1 basis-48">
        <p className="truncate font-medium">{apiKey.name}</p>
        <code className="block truncate text-xs text-ink-faint">{apiKey.api_key}</code>
        {ending !== undefined && ending.expires_at !== null && (
          <p className="text-xs text-warn">
            {t.secretEnds} <Moment at={ending.expires_at} />
          </p>
        )}
        <FailureNotice failure={revoke.error} />
      </div>
      <div className="flex gap-2">
        <Button size="small" onClick={onRotate} aria-label={`${t.rotateKey}: ${apiKey.name}`}>
          {t.rotateKey}
        </Button>
        <Button
          size="small"
          busy={revoke.isPending}
          onClick={() => revoke.mutate({ params: { api_key: apiKey.api_key } })}
          aria-label={`${t.revokeKey}: ${apiKey.name}`}
        >
          {t.revokeKey}
        </Button>
      </div>
    </li>
  );
}
