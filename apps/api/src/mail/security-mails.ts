/** The letters about a changed sign-in. They hold no code and no full address. */
import type { Both, Letter } from './letter.js';
import { momentOf } from './moments.js';

const sentences = {
  'password.changed': ['Kata sandi Anda diganti.', 'Your password was changed.'],
  'password.reset': [
    'Kata sandi Anda diatur ulang. Passkey Anda tetap berlaku.',
    'Your password was reset. Your passkeys still work.',
  ],
  'password.reset_without_passkeys': [
    'Kata sandi Anda diatur ulang. Semua passkey dihapus; tambahkan lagi di halaman Keamanan.',
    'Your password was reset. All passkeys were removed; add yours again on the page Security.',
  ],
  'two_factor.enabled': ['Verifikasi dua langkah diaktifkan.', 'Two-factor sign-in was turned on.'],
  'two_factor.disabled': ['Verifikasi dua langkah dimatikan.', 'Two-factor sign-in was turned off.'],
  'two_factor.backup_codes_made': [
    'Kode cadangan baru dibuat. Yang lama tidak berlaku lagi.',
    'New backup codes were made. The old ones no longer work.',
  ],
  'passkey.added': ['Sebuah passkey ditambahkan.', 'A passkey was added.'],
  'passkey.removed': ['Sebuah passkey dihapus.', 'A passkey was removed.'],
  'email.change_requested': [
    'Ada permintaan untuk mengganti alamat email Anda. Alamat baru belum berlaku.',
    'A new email address was asked for. It does not count yet.',
  ],
  'session.began': ['Ada yang masuk dari browser baru.', 'Somebody signed in from a new browser.'],
} as const satisfies Record<string, Both>;

export type SecurityEvent = keyof typeof sentences;

// The record has exactly these keys; Object.keys only knows `string`.
export const securityEvents = Object.keys(sentences) as readonly SecurityEvent[];

export type Occasion = {
  readonly at: Date;
  /** The network of the caller, such as `203.0.113.x`. */
  readonly network: string;
};

/** `url` leads to the page that resets the password. */
export function securityLetter(event: SecurityEvent, { at, network }: Occasion, url: string): Letter {
  const [indonesian, english] = sentences[event];
  const [waktu, time] = momentOf(at);
  const subject = (sentence: string) => `Kurir: ${sentence.slice(0, sentence.indexOf('.'))}`;
  return {
    subject: [subject(indonesian), subject(english)],
    paragraphs: [
      [indonesian, english],
      [
        'Jika itu Anda, tidak ada yang perlu dilakukan. Jika bukan Anda, atur ulang kata sandi sekarang. Semua sesi lalu berakhir.',
        'If it was you, there is nothing to do. If it was not you, reset the password now. All sessions then end.',
      ],
    ],
    list: [
      [`Waktu: ${waktu}`, `Time: ${time}`],
      [`Alamat IP: ${network}`, `IP address: ${network}`],
    ],
    link: { url, label: ['Atur ulang kata sandi', 'Reset the password'] },
    why: [
      'Anda menerima email ini karena cara Anda masuk ke Kurir berubah atau dipakai. Email keamanan selalu dikirim.',
      'You get this email because your sign-in to Kurir changed or was used. Emails about security always come.',
    ],
    choicesUrl: null,
  };
}
