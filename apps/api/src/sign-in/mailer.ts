/** How mails go out: over SMTP, or, in development, onto the mailbox page. */
import { type Database, keepMail } from '@kurir/database';
import { createTransport } from 'nodemailer';

export type Mail = { readonly recipient: string; readonly subject: string; readonly text: string };

export interface Mailer {
  /** Rejects when the mail could not be handed over. */
  send(mail: Mail): Promise<void>;
}

const patience = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 };

export function createSmtpMailer(url: string, from: string): Mailer {
  const transport = createTransport({ url, ...patience }, { from });
  return {
    async send({ recipient, subject, text }) {
      await transport.sendMail({ to: recipient, subject, text });
    },
  };
}

export const createKeptMailer = (database: Database): Mailer => ({ send: (mail) => keepMail(database, mail) });
