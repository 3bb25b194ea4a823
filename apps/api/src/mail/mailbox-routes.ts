/** Serves the mailbox of a development run. It does not exist if mails go out over SMTP. */
import { ApiError, isLanguage } from '@kurir/contracts';
import { type Database, listKeptMails, readKeptFile } from '@kurir/database';
import type { Express, Request } from 'express';
import { acceptedLanguage } from '../http/accepted-language.js';
import { queryOf } from '../http/request-target.js';
import { addRoute } from '../http/route.js';
import { answerHtml, hashSource } from '../pages/answer-html.js';
import { frameRights, mailboxPage, mailboxPath, mailboxStyle, type MailboxView } from './mailbox-page.js';

const closed = ["default-src 'none'", "base-uri 'none'", "form-action 'none'"];

const pagePolicy = [...closed, `style-src ${hashSource(mailboxStyle)}`, "frame-src 'self'", "frame-ancestors 'none'"];

/** A mail styles itself, and loads and runs nothing. */
const mailPolicy = [...closed, "style-src 'unsafe-inline'", "frame-ancestors 'self'", `sandbox ${frameRights}`];

/** The page's own link comes first, then the language of the browser. */
function viewOf(req: Request): Omit<MailboxView, 'mails'> {
  const { lang, mail, view } = queryOf(req.originalUrl);
  const language = isLanguage(lang) ? lang : (acceptedLanguage(req.headers['accept-language']) ?? 'en');
  return { language, mail, view: view === 'text' ? 'text' : 'design' };
}

export function addMailboxRoutes(
  app: Express,
  { database, mailbox }: { readonly database: Database; readonly mailbox: boolean },
): void {
  if (!mailbox) return;
  addRoute(app, mailboxPath, {
    GET: async (req, res) => {
      const html = mailboxPage({ ...viewOf(req), mails: await listKeptMails(database) });
      answerHtml(res, { html, policy: pagePolicy });
    },
  });
  addRoute(app, `${mailboxPath}/{mail_id}/file`, {
    GET: async (req, res) => {
      const found = (await listKeptMails(database)).find(({ id }) => id === req.params['mail_id']);
      const file = found === undefined ? null : await readKeptFile(database, found.id);
      if (file === null) throw new ApiError('NOT_FOUND', 'The mailbox has no such file. Open /app/mailbox.');
      res.writeHead(200, {
        'Content-Type': 'application/pdf',
        'Content-Length': file.content.byteLength,
        'Content-Disposition': `attachment; filename="${file.name}"`,
        'Cache-Control': 'no-store',
      });
      res.end(file.content);
    },
  });
  addRoute(app, `${mailboxPath}/{mail_id}`, {
    GET: async (req, res) => {
      const found = (await listKeptMails(database)).find(({ id }) => id === req.params['mail_id']);
      if (found === undefined || found.html === null)
        throw new ApiError('NOT_FOUND', 'The mailbox has no such email. Open /app/mailbox.');
      // Its links leave the frame.
      const html = found.html.replace('<head>', '<head>\n<base target="_top">');
      answerHtml(res, { html, policy: mailPolicy });
    },
  });
}
