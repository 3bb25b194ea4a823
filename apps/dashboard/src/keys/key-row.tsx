import { type DashboardData, mayKnowKey } from '@kurir/contracts/dashboard';
import { Ellipsis, List, Pencil, RefreshCw, Trash2 } from 'lucide-react';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useCall } from '../http/use-call.js';
import { useTexts } from '../i18n/texts.js';
import { useMay, useMe } from '../session/me.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.js';
import { CopyButton } from '../ui/copy-button.js';
import { Menu, MenuItem, MenuLine } from '../ui/overlays/menu.js';
import { Moment, useNow } from '../ui/moment.js';
import { toast } from '../ui/overlays/toasts.js';
import { RotateKeyDialog } from './rotate-key-dialog.js';
import { type ApiKey, renewsWithoutOwner } from './rows.js';
import { keyTexts } from './texts.js';

const EditKeyDialog = lazy(async () => ({ default: (await import('./edit-key-dialog.js')).EditKeyDialog }));

type KeyRowProps = { apiKey: ApiKey; onNewSecret: (made: DashboardData<'rotateKey'>) => void };

export function KeyRow({ apiKey, onNewSecret }: KeyRowProps) {
  const t = useTexts(keyTexts);
  const mayChange = useMay('developer') && apiKey.revoked_at === null;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 gap-y-2 border-b border-line px-5 py-4 last:border-0 md:grid-cols-[minmax(0,1fr)_10rem_8rem_2.5rem]">
      <div className="min-w-0">
        <p className="flex items-center gap-2">
          <span className="truncate font-medium">{apiKey.name}</span>
          <Badge tone={apiKey.mode === 'live' ? 'accent' : 'warn'}>{t[apiKey.mode]}</Badge>
          {apiKey.revoked_at !== null && <Badge>{t.revoked}</Badge>}
        </p>
        <p className="mt-0.5 flex items-center text-sm text-ink-soft">
          <code className="truncate">{apiKey.api_key}</code>
          <CopyButton text={apiKey.api_key} iconOnly label={t.apiKey} className="-my-1" />
        </p>
        <Maker apiKey={apiKey} />
        {renewsWithoutOwner(apiKey) && <p className="mt-1 text-xs text-warn">{t.renewsWithoutOwner}</p>}
        <OldSecret apiKey={apiKey} />
      </div>
      <div className="order-last col-span-2 flex items-baseline justify-between gap-4 md:order-none md:contents">
        <p className="text-sm text-ink-soft">
          {apiKey.scopes.length === 0 ? t.allRights : t.rightsCount(apiKey.scopes.length)}
          <span className="block text-xs text-ink-faint">
            {apiKey.allowed_ips.length === 0 ? t.anywhere : t.from(apiKey.allowed_ips.length)}
          </span>
        </p>
        <p className="text-right text-sm text-ink-soft md:text-left">
          {apiKey.last_used_at === null ? (
            t.never
          ) : (
            <>
              <span className="block text-xs text-ink-faint">{t.lastUsed}</span>
              <Moment at={apiKey.last_used_at} />
            </>
          )}
        </p>
      </div>
      {mayChange && <KeyActions apiKey={apiKey} onNewSecret={onNewSecret} />}
    </li>
  );
}

function Maker({ apiKey: { created_by: maker } }: { apiKey: ApiKey }) {
  const t = useTexts(keyTexts);
  if (maker === null) return null;
  return (
    <p className="mt-1 text-xs break-words text-ink-faint">
      {t.madeBy(maker.name ?? t.somebody)}
      {maker.role === null && ` (${t.makerLeft})`}
    </p>
  );
}

/** During a rotation, shows when the old secret was last used and when it expires. */
function OldSecret({ apiKey }: { apiKey: ApiKey }) {
  const t = useTexts(keyTexts);
  const now = useNow();
  const [, old] = apiKey.secrets;
  if (old === undefined || old.expires_at === null || apiKey.revoked_at !== null || Date.parse(old.expires_at) < now)
    return null;
  return (
    <p className="mt-1 text-xs text-warn">
      {t.oldSecret}:{' '}
      {old.last_used_at === null ? (
        t.oldUnused
      ) : (
        <>
          {t.oldUsed} <Moment at={old.last_used_at} />
        </>
      )}
      , {t.oldEnds} <Moment at={old.expires_at} />
    </p>
  );
}

function KeyActions({ apiKey, onNewSecret }: KeyRowProps) {
  const t = useTexts(keyTexts);
  const mayKnow = mayKnowKey(useMe().account.role, apiKey.scopes);
  const [open, setOpen] = useState<'edit' | 'rotate' | 'revoke' | null>(null);
  const navigate = useNavigate();
  const revoke = useCall('revokeKey', ['listKeys', 'readOverview']);
  const close = () => setOpen(null);
  const confirm = () =>
    revoke.mutate(
      { params: { api_key: apiKey.api_key } },
      {
        onSuccess: () => {
          close();
          toast(t.revokedDone);
        },
      },
    );
  return (
    <>
      <Menu
        trigger={
          <Button size="icon" look="quiet" aria-label={t.actions(apiKey.name)}>
            <Ellipsis aria-hidden className="size-5" />
          </Button>
        }
      >
        <MenuItem onSelect={() => void navigate({ to: '/requests', search: { key: apiKey.api_key } })}>
          <List aria-hidden />
          {t.requests}
        </MenuItem>
        <MenuItem onSelect={() => setOpen('edit')}>
          <Pencil aria-hidden />
          {t.edit}
        </MenuItem>
        {mayKnow && (
          <MenuItem onSelect={() => setOpen('rotate')}>
            <RefreshCw aria-hidden />
            {t.rotate}
          </MenuItem>
        )}
        <MenuLine />
        <MenuItem danger onSelect={() => setOpen('revoke')}>
          <Trash2 aria-hidden />
          {t.revoke}
        </MenuItem>
      </Menu>
      {open === 'edit' && (
        <Suspense fallback={null}>
          <EditKeyDialog apiKey={apiKey} open={open === 'edit'} onClose={close} />
        </Suspense>
      )}
      <RotateKeyDialog apiKey={apiKey} open={open === 'rotate'} onClose={close} onRotated={onNewSecret} />
      <ConfirmDialog
        open={open === 'revoke'}
        onClose={close}
        title={t.revokeTitle(apiKey.name)}
        action={t.revoke}
        onConfirm={confirm}
        busy={revoke.isPending}
        failure={revoke.error}
      >
        {t.revokeNote}
      </ConfirmDialog>
    </>
  );
}
