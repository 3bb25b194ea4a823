import { defineTexts } from '../i18n/texts.js';

export const resetTexts = defineTexts(
  {
    resetTitle: 'Choose a new password',
    resetNote: 'You are signed out everywhere else.',
    keepPasskeys: 'Keep my passkeys',
    keepPasskeysNote: 'Only if you have added all of them. Otherwise they are removed.',
    resetBad: 'This link is used up or too old. Ask for another.',
  },
  {
    resetTitle: 'Pilih kata sandi baru',
    resetNote: 'Anda keluar dari semua perangkat lain.',
    keepPasskeys: 'Pertahankan passkey saya',
    keepPasskeysNote: 'Hanya jika semuanya Anda yang menambahkan. Jika tidak, semua passkey dihapus.',
    resetBad: 'Tautan ini sudah terpakai atau kedaluwarsa. Minta yang baru.',
  },
);
