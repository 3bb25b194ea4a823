/** Why a message failed, waits or is unknown: the contract's reasons, in both languages. */
import { messageReasons } from '@kurir/contracts/dashboard';
import { defineTexts } from '../i18n/texts.js';

export const reasonTexts = defineTexts<Record<keyof typeof messageReasons, string>>(messageReasons, {
  recipient_not_on_network: 'Nomor ini tidak punya akun di jaringan.',
  recipient_unavailable: 'Penerima sedang tidak bisa dihubungi.',
  rejected_by_network: 'Jaringan menolak pesan ini.',
  rate_limited_by_network: 'Jaringan meminta pelan-pelan; pesan dicoba lagi.',
  new_contacts_restricted: 'Jaringan untuk sementara tidak mengizinkan akun ini menulis ke kontak baru.',
  recipient_token_required:
    'Jaringan baru menerima pesan ke orang ini setelah ia menulis ke akun Anda. Minta ia menulis lebih dulu; pesan dicoba lagi sendiri.',
  recipient_address_refused:
    'Jaringan menolak kedua alamat orang ini. Minta ia menulis ke akun Anda sekali, lalu kirim lagi pesannya.',
  temporarily_unavailable: 'Jaringan menolak untuk sementara; pesan dicoba lagi.',
  device_unlinked: 'Perangkat diputuskan sebelum pesan berangkat.',
  no_answer: 'Jaringan tidak pernah memberi tahu apakah pesan diterimanya.',
});

export const reasonSentence = (reason: string, sentences: Readonly<Record<string, string>>): string =>
  sentences[reason] ?? reason;
