import { type FormEvent, useState } from 'react';
import { useCall } from '../api/use-call.js';
import { defineTexts, useTexts } from '../i18n/texts.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { Field } from '../ui/field.js';
import { Input } from '../ui/input.js';
import { useAsking } from './confirmation.js';

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
  const [code, setCode] = useState('');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    await confirm.mutateAsync({ body: { code: code.replace(/\s/g, '') } });
    setCode('');
    asking?.confirmed();
  };
  return (
    <Dialog open={asking !== null} onClose={() => asking?.declined()} title={t.title} note={t.note}>
      <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event).catch(() => undefined)}>
        <Field label={t.code}>
          {(links) => (
            <Input
              {...links}
              value={code}
              onChange={(event) => setCode(event.target.value)}
              autoComplete="one-time-code"
              inputMode="numeric"
              autoFocus
              required
              minLength={6}
            />
          )}
        </Field>
        <FailureNotice failure={confirm.error} />
        <Button type="submit" look="primary" size="large" busy={confirm.isPending}>
          {t.go}
        </Button>
      </form>
    </Dialog>
  );
}
