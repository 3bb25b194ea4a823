/** The failures whose cause differs in a broadcast. */
import type { FailureCode } from '../http/api-failure.js';
import { defineTexts, useTexts } from '../i18n/texts.js';
import { FailureNotice } from '../ui/failure-notice.js';

const texts = defineTexts<Partial<Record<FailureCode, string>>>(
  {
    QUOTA_EXHAUSTED: 'Your quota does not suffice for this list. Renew your plan, or shorten the list.',
    DEVICE_NOT_FOUND: 'One of the chosen devices is gone. Choose again.',
    DEVICE_NOT_CONNECTED: 'No chosen device is connected. Connect one, then try again.',
    EXPIRES_IN_QUIET_HOURS: 'It is night. Try again in the morning.',
  },
  {
    QUOTA_EXHAUSTED: 'Kuota Anda tidak cukup untuk daftar ini. Perpanjang paket, atau pendekkan daftarnya.',
    DEVICE_NOT_FOUND: 'Salah satu perangkat yang dipilih sudah tidak ada. Pilih lagi.',
    DEVICE_NOT_CONNECTED: 'Tidak ada perangkat terpilih yang terhubung. Hubungkan dulu, lalu coba lagi.',
    EXPIRES_IN_QUIET_HOURS: 'Sekarang sudah malam. Coba lagi besok pagi.',
  },
);

type BroadcastFailureProps = { failure: unknown; onRetry?: () => unknown };

export const BroadcastFailure = ({ failure, onRetry }: BroadcastFailureProps) => (
  <FailureNotice failure={failure} sentences={useTexts(texts)} onRetry={onRetry} />
);
