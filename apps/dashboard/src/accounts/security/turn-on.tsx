import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { enableTwoFactor, verifyCode } from '../../http/auth.js';
import { useTexts } from '../../i18n/texts.js';
import { CodeForm } from '../../session/code-form.js';
import { QrCode } from '../../ui/qr-code.js';
import { toast } from '../../ui/overlays/toasts.js';
import { AuthNotice } from './auth-notice.js';
import { BackupCodes } from './backup-codes.js';
import { PasswordForm } from './password-form.js';
import { securityTexts } from './texts.js';

type Enrolment = { totpURI: string; backupCodes: string[] };

/** Asks for the password, then for the first code of the authenticator, then shows the backup codes. */
export function TurnOn({ onDone }: { onDone: () => void }) {
  const t = useTexts(securityTexts);
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [isVerified, setVerified] = useState(false);
  if (enrolment === null)
    return (
      <PasswordForm button={t.continue} submit={async (password) => setEnrolment(await enableTwoFactor(password))} />
    );
  if (!isVerified) return <FirstCode uri={enrolment.totpURI} onVerified={() => setVerified(true)} />;
  const finish = () => {
    toast(t.isOn);
    onDone();
  };
  return <BackupCodes codes={enrolment.backupCodes} onDone={finish} />;
}

function FirstCode({ uri, onVerified }: { uri: string; onVerified: () => void }) {
  const t = useTexts(securityTexts);
  const verify = useMutation({ mutationFn: verifyCode, onSuccess: onVerified });
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm">{t.scan}</p>
      <div className="w-48 self-center">
        <QrCode text={uri} label={t.scan} />
      </div>
      <p className="text-sm text-ink-soft">
        {t.scanHint} <code className="break-all text-ink select-all">{new URL(uri).searchParams.get('secret')}</code>
      </p>
      <CodeForm
        label={t.code}
        button={t.confirm}
        busy={verify.isPending}
        takes="six-digits"
        onCode={(code) => verify.mutate(code)}
      >
        <AuthNotice failure={verify.error} refused={t.wrongCode} />
      </CodeForm>
    </div>
  );
}
