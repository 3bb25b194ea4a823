/** The mailbox page of a development run: kept mails, newest first. */
import type { Language } from '@kurir/contracts';
import type { KeptMail } from '@kurir/database';
import { htmlPage, joinMarkup, type Markup, markup } from '../pages/html-page.js';
import { momentOf } from './moments.js';

export const mailboxPath = '/app/mailbox';

/** The colours are those of the dashboard. */
export const mailboxStyle = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#fbfaf7, #0f131a); --surface: light-dark(#fff, #161b23); --line: light-dark(#dfe0e2, #2b323d);
  --ink: light-dark(#1b2230, #edece8); --soft: light-dark(#4a5160, #b6bcc8); --accent: light-dark(#2f4794, #9fb3f0);
  --chosen: light-dark(#e9edfa, #212c4a);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
header { padding: 1.25rem 1.25rem 1rem; border-bottom: 1px solid var(--line); }
h1 { margin: 0; font-size: 1.375rem; letter-spacing: -.02em; }
h2 { margin: 0; font-size: 1.125rem; overflow-wrap: anywhere; }
p { margin: 0; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.soft { color: var(--soft); font-size: .875rem; }
.columns { display: grid; }
.mails { max-height: 40vh; overflow-y: auto; border-bottom: 1px solid var(--line); }
.mails ul { margin: 0; padding: 0; list-style: none; }
.mails a { display: block; padding: .75rem 1.25rem; border-bottom: 1px solid var(--line); color: inherit; text-decoration: none; overflow-wrap: anywhere; }
.mails a[aria-current] { background: var(--chosen); }
.mails strong { display: block; font-weight: 600; }
main { min-width: 0; padding: 1.25rem; }
article { display: flex; flex-direction: column; gap: 1rem; }
.views { display: flex; gap: .5rem; }
.views a { padding: .5rem .875rem; border: 1px solid var(--line); border-radius: .5rem; text-decoration: none; }
.views a[aria-current] { background: var(--chosen); border-color: var(--accent); }
iframe { width: 100%; height: 44rem; border: 1px solid var(--line); border-radius: .75rem; background: #fff; }
.text { padding: 1.25rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--surface); white-space: pre-wrap; overflow-wrap: anywhere; }
@media (min-width: 56rem) {
  .columns { grid-template-columns: 20rem minmax(0, 1fr); }
  .mails { max-height: none; border-bottom: 0; border-right: 1px solid var(--line); min-height: calc(100vh - 5.5rem); }
}
`;

type Words = Record<'title' | 'note' | 'none' | 'mails' | 'views' | 'design' | 'text' | 'to' | 'file', string>;

const texts: Record<Language, Words> = {
  en: {
    title: 'Mailbox',
    note: 'Development only. The gateway keeps these emails and sends none.',
    none: 'No email yet.',
    mails: 'Emails',
    views: 'View',
    design: 'Design',
    text: 'Text',
    to: 'To',
    file: 'Attachment',
  },
  id: {
    title: 'Kotak email',
    note: 'Hanya untuk pengembangan. Gateway menyimpan email ini dan tidak mengirimnya.',
    none: 'Belum ada email.',
    mails: 'Daftar email',
    views: 'Tampilan',
    design: 'Desain',
    text: 'Teks',
    to: 'Kepada',
    file: 'Lampiran',
  },
};

export const mailViews = ['design', 'text'] as const;

export type MailboxView = {
  readonly language: Language;
  /** Newest first. */
  readonly mails: readonly KeptMail[];
  /** The id of the mail to show. */
  readonly mail: string | undefined;
  readonly view: (typeof mailViews)[number];
};

const address = /(https?:\/\/\S+)/;

/** Shows the text of a mail, with its addresses as links. */
const showText = (text: string): Markup =>
  joinMarkup(
    text.split(address).map((part) => (address.test(part) ? markup`<a href="${part}">${part}</a>` : markup`${part}`)),
  );

function addressOf(
  { language, view }: MailboxView,
  changes: { readonly mail: string; readonly view?: string },
): string {
  return `${mailboxPath}?${new URLSearchParams({ lang: language, view, ...changes }).toString()}`;
}

const current = (is: boolean): Markup => (is ? markup` aria-current="true"` : markup``);

function timeOf({ createdAt }: KeptMail, language: Language): Markup {
  const [indonesian, english] = momentOf(createdAt);
  return markup`<time datetime="${createdAt.toISOString()}">${language === 'id' ? indonesian : english}</time>`;
}

function listEntry(shown: MailboxView, mail: KeptMail, chosen: KeptMail): Markup {
  const href = addressOf(shown, { mail: mail.id });
  return markup`<li><a href="${href}"${current(mail === chosen)}><strong>${mail.subject}</strong><span class="soft">${mail.recipient} · ${timeOf(mail, shown.language)}</span></a></li>`;
}

/** Mails of an earlier version have only a text. */
function showMail(shown: MailboxView, mail: KeptMail): Markup {
  const words = texts[shown.language];
  const view = mail.html === null ? 'text' : shown.view;
  const views = mailViews.map(
    (name) =>
      markup`<a href="${addressOf(shown, { mail: mail.id, view: name })}"${current(name === view)}>${words[name]}</a>`,
  );
  const frame = markup`<iframe title="${mail.subject}" src="${mailboxPath}/${mail.id}" sandbox="${frameRights}"></iframe>`;
  return markup`<article>
<h2>${mail.subject}</h2>
<p class="soft">${words.to}: ${mail.recipient} · ${timeOf(mail, shown.language)}</p>
${mail.fileName === null ? '' : markup`<p>${words.file}: <a href="${mailboxPath}/${mail.id}/file" download>${mail.fileName}</a></p>`}
<nav class="views" aria-label="${words.views}">${joinMarkup(mail.html === null ? [] : views)}</nav>
${view === 'text' ? markup`<div class="text">${showText(mail.text)}</div>` : frame}
</article>`;
}

/** The rights of a mail's frame: its links open in the window of the mailbox. */
export const frameRights = 'allow-top-navigation-by-user-activation allow-popups allow-popups-to-escape-sandbox';

export function mailboxPage(shown: MailboxView): string {
  const { language, mails } = shown;
  const words = texts[language];
  const chosen = mails.find(({ id }) => id === shown.mail) ?? mails[0];
  const content =
    chosen === undefined
      ? markup`<main><p>${words.none}</p></main>`
      : markup`<div class="columns">
<nav class="mails" aria-label="${words.mails}"><ul>${joinMarkup(mails.map((mail) => listEntry(shown, mail, chosen)))}</ul></nav>
<main>${showMail(shown, chosen)}</main>
</div>`;
  const body = markup`<header><h1>${words.title}</h1><p class="soft">${words.note}</p></header>
${content}`;
  return htmlPage({ lang: language, title: `${words.title} · Kurir`, style: mailboxStyle, body });
}
