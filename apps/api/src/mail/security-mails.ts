/** The mails about a changed sign-in, first in Indonesian, then in English. They hold no code and no full address. */
import type { Mail } from './mailer.js';

/** Indonesian, English. */
type Both = readonly [indonesian: string, english: string];

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
  'session.began': ['Ada yang masuk dari peramban baru.', 'Somebody signed in from a new browser.'],
} as const satisfies Record<string, Both>;

export type SecurityEvent = keyof typeof sentences;
export type Occasion = {
  readonly at: Date;
  /** The network of the caller, such as `203.0.113.x`. */
  readonly network: string;
};

const timeIn = (at: Date, locale: string, timeZone: string) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone }).format(at);

/** `url` leads to the page that resets the password. */
export function securityMail(recipient: string, event: SecurityEvent, { at, network }: Occasion, url: string): Mail {
  const [indonesian, english] = sentences[event];
  const subject = (sentence: string) => sentence.slice(0, sentence.indexOf('.'));
  return {
    recipient,
    subject: `Kurir: ${subject(indonesian)} · ${subject(english)}`,
    text: [
      `${indonesian} Waktu: ${timeIn(at, 'id-ID', 'Asia/Jakarta')} WIB. Alamat IP: ${network}.`,
      'Jika bukan Anda, atur ulang kata sandi sekarang. Semua sesi lalu berakhir.',
      '',
      `${english} Time: ${timeIn(at, 'en-GB', 'UTC')} UTC. IP address: ${network}.`,
      'If it was not you, reset the password now. All sessions then end.',
      '',
      url,
      '',
      'Kurir',
      '',
    ].join('\n'),
  };
}
