/** How mails go out: over SMTP, or, in development, onto the mailbox page. */
import { type Database, keepMail } from '@kurir/database';
import { createTransport } from 'nodemailer';

export type Mail = { readonly recipient: string; readonly subject: string; readonly text: string };

export interface Mailer {
  /** Rejects when the mail could not be handed over. */
  send(mail: Mail): Promise<void>;
}

const timeouts = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 };

/** What a mail server answers names the recipient, and is logged: only its code is kept. */
function refused(error: unknown): Error {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
  return Object.assign(new Error('the mail server did not take the mail'), { code });
}

/**
 * The mails hold links that open accounts, and the server is told a password: neither goes out unencrypted, unless the
 * address says so (`?requireTLS=false`) or names no password, as for a mail catcher beside it.
 */
export function createSmtpMailer(url: string, from: string): Mailer {
  const requireTLS = new URL(url).password !== '';
  const transport = createTransport({ url, requireTLS, ...timeouts }, { from });
  return {
    async send({ recipient, subject, text }) {
      await transport.sendMail({ to: recipient, subject, text }).catch((error: unknown) => {
        throw refused(error);
      });
    },
  };
}

/** In production without a mail server: nothing pretends to have been sent, and no link lies in the database. */
export const noMailer: Mailer = { send: () => Promise.reject(new Error('no mail server is set (KURIR_SMTP_URL)')) };

export const createKeptMailer = (database: Database): Mailer => ({ send: (mail) => keepMail(database, mail) });
