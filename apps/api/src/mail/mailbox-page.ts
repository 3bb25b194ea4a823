/** The mailbox page of a development run: kept mails, newest first. It does not exist if mails go out over SMTP. */
import { type KeptMail, listKeptMails } from '@kurir/database';
import type { Express } from 'express';
import type { Database } from '@kurir/database';
import { answerHtml, hashSource } from '../pages/answer-html.js';
import { htmlPage, Markup, markup } from '../pages/html-page.js';
import { addRoute } from '../http/route.js';

export const mailboxPath = '/app/mailbox';

const style = `
:root { color-scheme: light dark; }
body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
article { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .75rem; padding: 1rem 1.25rem; margin: 1rem 0; overflow-wrap: anywhere; }
h2 { font-size: 1rem; margin: 0; }
small { opacity: .7; }
p { white-space: pre-wrap; margin: .75rem 0 0; }
`;

const policy = [
  "default-src 'none'",
  `style-src ${hashSource(style)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

const address = /https?:\/\/\S+/;

/** Shows the text of a mail, with its one address as a link. */
function showText(text: string): Markup {
  const [link = ''] = address.exec(text) ?? [];
  if (link === '') return markup`${text}`;
  const at = text.indexOf(link);
  return markup`${text.slice(0, at)}<a href="${link}">${link}</a>${text.slice(at + link.length)}`;
}

const showMail = ({ recipient, subject, text, createdAt }: KeptMail): Markup =>
  markup`<article><h2>${subject}</h2><small>${recipient} · ${createdAt.toISOString()}</small><p>${showText(text)}</p></article>`;

const empty = markup`<p>Belum ada surel. <span lang="en">No mail yet.</span></p>`;

function mailboxPage(mails: readonly KeptMail[]): string {
  const list = new Markup(mails.map((mail) => showMail(mail).html).join(''));
  const body = markup`<h1>Kotak surel · <span lang="en">Mailbox</span></h1>
<p>Hanya untuk pengembangan: surel tidak dikirim. <span lang="en">Development only: mails are not sent.</span></p>
${mails.length === 0 ? empty : list}`;
  return htmlPage({ lang: 'id', title: 'Kurir', style, body });
}

export function addMailboxRoute(
  app: Express,
  { database, mailbox }: { readonly database: Database; readonly mailbox: boolean },
): void {
  if (!mailbox) return;
  addRoute(app, mailboxPath, {
    GET: async (_req, res) => answerHtml(res, { html: mailboxPage(await listKeptMails(database)), policy }),
  });
}
