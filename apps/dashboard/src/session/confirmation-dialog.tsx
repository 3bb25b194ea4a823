import { useMutation, useQuery } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import { ApiFailure } from '../http/api-failure.js';
import { askPasskey, listPasskeys } from '../http/auth.js';
import { useAsking } from '../http/confirmation.js';
import { useCall } from '../http/use-call.js';
import { defineTexts, useTexts } from '../i18n/texts.js';
import { Button } from '../ui/button.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { Notice } from '../ui/notice.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { CodeForm } from './code-form.js';
import { useMe } from './me.js';
import { PasswordConfirmation } from './password-confirmation.js';
import { passkeysKey } from './passkeys-key.js';

const texts = defineTexts(
  {
    title: 'Is it still you?',
    note: 'Confirm it, and the change goes on. It counts for ten minutes.',
    code: 'Code from your authenticator, or a backup code',
    password: 'Your password',
    go: 'Continue',
    passkey: 'Use a passkey',
    noPasskey: 'The passkey did not answer. Try again.',
  },
  {
    title: 'Masih Anda?',
    note: 'Pastikan dulu, lalu perubahannya dilanjutkan. Berlaku sepuluh menit.',
    code: 'Kode dari aplikasi autentikator, atau kode cadangan',
    password: 'Kata sandi Anda',
    go: 'Lanjutkan',
    passkey: 'Pakai passkey',
    noPasskey: 'Passkey tidak menjawab. Coba lagi.',
  },
);

/** Asks the person in front of any page. The request that asked for it is repeated afterwards. */
export function ConfirmationDialog() {
  const t = useTexts(texts);
  const asking = useAsking();
  return (
    <Dialog open={asking !== null} onClose={() => asking?.declined()} title={t.title} note={t.note}>
      <Confirmation onSuccess={() => asking?.confirmed()} />
    </Dialog>
  );
}

/** Takes a code or, without two-factor sign-in, the password. A passkey does for both. */
function Confirmation({ onSuccess }: { onSuccess: () => void }) {
  const t = useTexts(texts);
  const { user } = useMe();
  const confirm = useCall('confirmSession', ['readMe']);
  const form = { button: t.go, busy: confirm.isPending, children: <FailureNotice failure={confirm.error} /> };
  return (
    <>
      {user.two_factor ? (
        <CodeForm
          {...form}
          label={t.code}
          takes="any-code"
          onCode={(code) => confirm.mutate({ body: { code } }, { onSuccess })}
        />
      ) : (
        <PasswordConfirmation
          {...form}
          label={t.password}
          onPassword={(password) => confirm.mutate({ body: { password } }, { onSuccess })}
        />
      )}
      <PasskeyConfirmation onSuccess={onSuccess} />
    </>
  );
}

/** Offers a passkey to a person who has one. */
function PasskeyConfirmation({ onSuccess }: { onSuccess: () => void }) {
  const t = useTexts(texts);
  const list = useQuery({ queryKey: passkeysKey, queryFn: listPasskeys });
  const confirm = useCall('confirmSession', ['readMe']);
  const sign = useMutation({
    mutationFn: askPasskey,
    onSuccess: (passkey) => confirm.mutate({ body: { passkey } }, { onSuccess }),
  });
  if (list.data === undefined || list.data.length === 0) return null;
  return (
    <div className="mt-4 flex flex-col gap-4">
      <Button size="large" busy={sign.isPending || confirm.isPending} onClick={() => sign.mutate()}>
        <Fingerprint aria-hidden className="size-4.5" />
        {t.passkey}
      </Button>
      {sign.error instanceof ApiFailure && <FailureNotice failure={sign.error} />}
      {sign.error !== null && !(sign.error instanceof ApiFailure) && (
        <Notice tone="bad" live>
          {t.noPasskey}
        </Notice>
      )}
      <FailureNotice failure={confirm.error} />
    </div>
  );
}
