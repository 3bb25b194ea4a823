/** The texts of all mails, first in Indonesian, then in English. */
import type { Mail } from './mailer.js';

const withBoth = (indonesian: string, english: string, url: string) =>
  `${indonesian}\n\n${english}\n\n${url}\n\nKurir\n`;

/**
 * A mail program makes a link of a name such as `evil.com`, and the mail is ours. A space after each dot prevents that,
 * also after the dots of other scripts.
 */
export const withoutLink = (name: string) => name.replace(/([.\u3002\uff0e\uff61])(?=[^\s.])/g, '$1 ');

export const resetMail = (recipient: string, url: string): Mail => ({
  recipient,
  subject: 'Atur ulang kata sandi Kurir · Reset your Kurir password',
  text: withBoth(
    'Buka tautan ini dalam satu jam untuk memilih kata sandi baru. Jika bukan Anda yang meminta, abaikan surel ini.',
    'Open this link within an hour to choose a new password. If you did not ask for it, do nothing.',
    url,
  ),
});

export const verifyMail = (recipient: string, url: string): Mail => ({
  recipient,
  subject: 'Konfirmasi alamat surel Anda · Confirm your e-mail address',
  text: withBoth(
    'Buka tautan ini untuk mengonfirmasi alamat surel Anda, lalu masuk dengan kata sandi Anda.',
    'Open this link to confirm your e-mail address, then sign in with your password.',
    url,
  ),
});

export const knownAddressMail = (recipient: string, url: string): Mail => ({
  recipient,
  subject: 'Anda sudah terdaftar di Kurir · You are registered at Kurir already',
  text: withBoth(
    'Seseorang mencoba mendaftar dengan alamat ini. Jika itu Anda, masuk saja di sini.',
    'Somebody tried to sign up with this address. If it was you, simply sign in here.',
    url,
  ),
});

export function invitationMail(recipient: string, accountName: string, url: string): Mail {
  const name = withoutLink(accountName);
  return {
    recipient,
    subject: `Undangan ke ${name} di Kurir · Invitation to ${name} on Kurir`,
    text: withBoth(
      `Anda diundang bergabung dengan ${name}. Tautan ini berlaku tujuh hari.`,
      `You are invited to join ${name}. This link is valid for seven days.`,
      url,
    ),
  };
}
