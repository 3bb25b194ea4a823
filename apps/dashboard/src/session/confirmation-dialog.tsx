import { useCall } from '../http/use-call.js';
import { defineTexts, useTexts } from '../i18n/texts.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { CodeForm } from './code-form.js';
import { useAsking } from '../http/confirmation.js';

const texts = defineTexts(
  {
    title: 'Is it still you?',
    note: 'Two-factor sign-in protects this. A code counts for ten minutes.',
    code: 'Code from your authenticator, or a backup code',
    go: 'Continue',
  },
  {
    title: 'Masih Anda?',
    note: 'Tindakan ini dilindungi verifikasi dua langkah. Satu kode berlaku sepuluh menit.',
    code: 'Kode dari aplikasi autentikator, atau kode cadangan',
    go: 'Lanjutkan',
  },
);

export function ConfirmationDialog() {
  const t = useTexts(texts);
  const asking = useAsking();
  const confirm = useCall('confirmSession', ['readMe']);
  return (
    <Dialog open={asking !== null} onClose={() => asking?.declined()} title={t.title} note={t.note}>
      <CodeForm
        label={t.code}
        button={t.go}
        busy={confirm.isPending}
        takes="any-code"
        onCode={(code) => confirm.mutate({ body: { code } }, { onSuccess: () => asking?.confirmed() })}
      >
        <FailureNotice failure={confirm.error} />
      </CodeForm>
    </Dialog>
  );
}
