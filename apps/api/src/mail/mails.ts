/** The letters about an address: to confirm it, to welcome it, to reset its password, and to invite it. */
import { isDisplayName, limits } from '@kurir/contracts';
import type { MemberRole } from '@kurir/contracts/dashboard';
import type { Letter } from './letter.js';
import { dayOf, withoutLink } from './moments.js';
import { roleWords } from './role-words.js';

const always = { list: [], choicesUrl: null };

export const resetLetter = (url: string): Letter => ({
  ...always,
  subject: ['Atur ulang kata sandi Kurir Anda', 'Reset your Kurir password'],
  paragraphs: [
    [
      'Kami menerima permintaan kata sandi baru untuk akun dengan alamat ini. Tautannya berlaku satu jam.',
      'We were asked for a new password for the account with this address. The link works for an hour.',
    ],
    [
      'Jika bukan Anda yang meminta, abaikan email ini. Kata sandi Anda tidak berubah.',
      'If it was not you, ignore this email. Your password stays as it is.',
    ],
  ],
  link: { url, label: ['Pilih kata sandi baru', 'Choose a new password'] },
  why: [
    'Anda menerima email ini karena seseorang membuka “Lupa kata sandi” di Kurir dengan alamat Anda.',
    'You get this email because somebody used “Forgot password” at Kurir with your address.',
  ],
});

export const verifyLetter = (url: string): Letter => ({
  ...always,
  subject: ['Konfirmasi alamat email Anda', 'Confirm your email address'],
  paragraphs: [
    [
      'Satu langkah lagi: konfirmasi alamat ini, lalu masuk dengan kata sandi Anda.',
      'One more step: confirm this address, then sign in with your password.',
    ],
    [
      'Jika Anda tidak mendaftar, abaikan email ini. Tanpa konfirmasi, akun itu tidak bisa dipakai.',
      'If you did not sign up, ignore this email. Without the confirmation, nobody can use the account.',
    ],
  ],
  link: { url, label: ['Konfirmasi alamat', 'Confirm the address'] },
  why: [
    'Anda menerima email ini karena alamat ini dipakai untuk mendaftar di Kurir.',
    'You get this email because somebody signed up at Kurir with this address.',
  ],
});

export const knownAddressLetter = (url: string): Letter => ({
  ...always,
  subject: ['Anda sudah terdaftar di Kurir', 'You are registered at Kurir already'],
  paragraphs: [
    [
      'Seseorang ingin memakai alamat ini di Kurir. Anda sudah terdaftar dengan alamat ini.',
      'Somebody wanted to use this address at Kurir. You are registered with it already.',
    ],
    [
      'Jika itu Anda, silakan masuk. Jika bukan, tidak ada yang perlu dilakukan: akun Anda tidak berubah.',
      'If it was you, simply sign in. If not, there is nothing to do: your account stays as it is.',
    ],
  ],
  link: { url, label: ['Masuk', 'Sign in'] },
  why: [
    'Anda menerima email ini karena alamat Anda diisikan di halaman Kurir.',
    'You get this email because somebody entered your address on a page of Kurir.',
  ],
});

export const newAddressLetter = (url: string): Letter => ({
  ...always,
  subject: ['Konfirmasi alamat email baru Anda', 'Confirm your new email address'],
  paragraphs: [
    [
      'Konfirmasi alamat ini untuk memakainya di Kurir. Tautannya berlaku satu jam.',
      'Confirm this address to use it at Kurir. The link works for an hour.',
    ],
    [
      'Sampai saat itu Anda masuk dengan alamat lama. Jika bukan Anda yang meminta, abaikan email ini.',
      'Until then you sign in with the old address. If you did not ask for it, ignore this email.',
    ],
  ],
  link: { url, label: ['Konfirmasi alamat baru', 'Confirm the new address'] },
  why: [
    'Anda menerima email ini karena seseorang mengisikan alamat ini sebagai alamat barunya di Kurir.',
    'You get this email because somebody entered this address as their new one at Kurir.',
  ],
});

/** To a person whose account was opened. `trial` is null if nothing can be sent before a payment. */
export const welcomeLetter = (
  url: string,
  trial: { readonly messages: number; readonly days: number } | null,
): Letter => ({
  ...always,
  subject: ['Akun Kurir Anda sudah siap', 'Your Kurir account is ready'],
  paragraphs: [
    ['Selamat datang. Ini langkah pertama Anda:', 'Welcome. These are your first steps:'],
    ...(trial === null
      ? []
      : [
          [
            `Anda bisa mengirim ${trial.messages} pesan gratis selama ${trial.days} hari.`,
            `You can send ${trial.messages} messages for free, within ${trial.days} days.`,
          ] as const,
        ]),
  ],
  list: [
    ['Tautkan nomor WhatsApp Anda.', 'Link your WhatsApp number.'],
    ['Kirim pesan tes ke ponsel sendiri.', 'Send a test message to your own phone.'],
    ['Impor kontak, lalu kirim siaran pertama.', 'Import contacts, then send a first broadcast.'],
    [
      'Punya program sendiri? Buat kunci API. Kalau tidak, lewati saja.',
      'Do you have a program of your own? Make an API key. If not, skip it.',
    ],
  ],
  link: { url, label: ['Buka Kurir', 'Open Kurir'] },
  why: [
    'Anda menerima email ini karena Anda mendaftar di Kurir dengan alamat ini.',
    'You get this email because you signed up at Kurir with this address.',
  ],
});

/** `masked` is the new address without most of its name. `url` leads to the page that signs in. */
export const changedAddressLetter = (masked: string, url: string): Letter => ({
  ...always,
  subject: ['Alamat email Anda di Kurir diganti', 'Your email address at Kurir was changed'],
  paragraphs: [
    [
      `Mulai sekarang Anda masuk dengan alamat ${masked}. Alamat ini tidak dipakai lagi.`,
      `From now on you sign in with ${masked}. This address is not used any more.`,
    ],
    [
      'Jika bukan Anda, segera hubungi pengelola gateway ini.',
      'If it was not you, contact whoever runs this gateway at once.',
    ],
  ],
  link: { url, label: ['Masuk', 'Sign in'] },
  why: [
    'Anda menerima email ini karena ini alamat lama Anda. Email keamanan selalu dikirim.',
    'You get this email because this was your address. Emails about security always come.',
  ],
});

export type Invitation = {
  readonly accountName: string;
  readonly role: MemberRole;
  readonly inviter: { readonly name: string; readonly email: string };
  readonly expiresAt: Date;
};

export function invitationLetter({ accountName, role, inviter, expiresAt }: Invitation, url: string): Letter {
  const account = withoutLink(accountName);
  const by = isDisplayName(inviter.name) ? withoutLink(inviter.name) : inviter.email;
  const { name, may } = roleWords[role];
  const [hari, day] = dayOf(expiresAt);
  return {
    ...always,
    subject: [`Anda diundang bergabung dengan ${account}`, `You are invited to join ${account}`],
    paragraphs: [
      [`${by} mengundang Anda bergabung dengan ${account} di Kurir.`, `${by} invites you to join ${account} on Kurir.`],
      [
        `Sebagai ${name[0]}, Anda bisa ${may[0]}. Undangan ini berlaku ${limits.invitationDays} hari, sampai ${hari}.`,
        `As ${name[1]} you can ${may[1]}. The invitation works for ${limits.invitationDays} days, until ${day}.`,
      ],
    ],
    list: [
      [`Akun: ${account}`, `Account: ${account}`],
      [`Peran: ${name[0]}`, `Role: ${name[1]}`],
      [`Diundang oleh: ${by} (${inviter.email})`, `Invited by: ${by} (${inviter.email})`],
    ],
    link: { url, label: ['Terima undangan', 'Accept the invitation'] },
    why: [
      `Anda menerima email ini karena ${by} mengundang alamat Anda. Jika Anda tidak mengenalnya, abaikan email ini.`,
      `You get this email because ${by} invited your address. If you do not know them, ignore this email.`,
    ],
  };
}
