import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { disableTwoFactor, makeBackupCodes } from '../../http/auth.js';
import { queryKey } from '../../http/query.js';
import { useTexts } from '../../i18n/texts.js';
import { useMe } from '../../session/me.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { Panel, PanelHead } from '../../ui/layout/panel.js';
import { toast } from '../../ui/overlays/toasts.js';
import { BackupCodes } from './backup-codes.js';
import { PasswordForm } from './password-form.js';
import { securityTexts } from './texts.js';
import { TurnOn } from './turn-on.js';

export function TwoFactor() {
  const t = useTexts(securityTexts);
  const { user } = useMe();
  const client = useQueryClient();
  const [open, setOpen] = useState<'on' | 'off' | 'codes' | null>(null);
  const close = () => {
    setOpen(null);
    void client.invalidateQueries({ queryKey: queryKey('readMe') });
  };
  return (
    <Panel>
      <PanelHead
        title={t.twoFactor}
        note={user.two_factor ? t.twoFactorOn : t.twoFactorOff}
        actions={<Badge tone={user.two_factor ? 'ok' : 'neutral'}>{user.two_factor ? t.on : t.off}</Badge>}
      />
      <div className="flex flex-wrap gap-2 px-5 pb-5">
        {user.two_factor ? (
          <>
            <Button onClick={() => setOpen('codes')}>{t.newBackup}</Button>
            <Button look="quiet" onClick={() => setOpen('off')}>
              {t.turnOff}
            </Button>
          </>
        ) : (
          <Button look="primary" onClick={() => setOpen('on')}>
            {t.turnOn}
          </Button>
        )}
      </div>
      <Dialog open={open === 'on'} onClose={close} title={t.twoFactor}>
        <TurnOn onDone={close} />
      </Dialog>
      <Dialog open={open === 'codes'} onClose={close} title={t.newBackup}>
        <NewCodes onDone={close} />
      </Dialog>
      <Dialog open={open === 'off'} onClose={close} title={t.turnOffTitle} note={t.turnOffNote}>
        <PasswordForm
          button={t.turnOff}
          danger
          submit={async (password) => {
            await disableTwoFactor(password);
            toast(t.isOff);
            close();
          }}
        />
      </Dialog>
    </Panel>
  );
}

function NewCodes({ onDone }: { onDone: () => void }) {
  const t = useTexts(securityTexts);
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes !== null) return <BackupCodes codes={codes} onDone={onDone} />;
  return (
    <PasswordForm
      button={t.continue}
      submit={async (password) => setCodes((await makeBackupCodes(password)).backupCodes)}
    />
  );
}
