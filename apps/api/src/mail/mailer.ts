/** Sends mails over SMTP, or keeps them for the mailbox page in development. */
import { type Database, keepMail } from '@kurir/database';
import { metrics } from '@kurir/metrics';
import { createTransport } from 'nodemailer';

export type Mail = {
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  /** The same in HTML. */
  readonly html: string;
  /** A PDF that comes with it. */
  readonly file?: { readonly name: string; readonly content: Buffer };
};

export interface Mailer {
  /** Rejects if the mail server did not accept the mail. */
  send(mail: Mail): Promise<void>;
}

const timeouts = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 };

/** Keeps only the code. The full reply may name the recipient, and the error is logged. */
function refused(error: unknown): Error {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
  return Object.assign(new Error('the mail server did not take the mail'), { code });
}

/**
 * Mails hold links that open accounts, and the mail server gets a password. So a URL with a password requires TLS,
 * unless it says `?requireTLS=false`. A URL without a password, as for a local mail catcher, does not require TLS.
 */
export function createSmtpMailer(url: string, from: string): Mailer {
  const requireTLS = new URL(url).password !== '';
  const transport = createTransport({ url, requireTLS, ...timeouts }, { from });
  return {
    async send({ recipient, file, ...mail }) {
      const attachments =
        file === undefined ? [] : [{ filename: file.name, content: file.content, contentType: 'application/pdf' }];
      try {
        await transport.sendMail({ to: recipient, ...mail, attachments });
        metrics.mails.add({ result: 'sent' });
      } catch (error) {
        metrics.mails.add({ result: 'failed' });
        throw refused(error);
      }
    },
  };
}

/** For production without a mail server: no mail seems to be sent, and no link is kept in the database. */
export const noMailer: Mailer = { send: () => Promise.reject(new Error('no mail server is set (KURIR_SMTP_URL)')) };

export const createKeptMailer = (database: Database): Mailer => ({
  send: (mail) => keepMail(database, mail),
});
