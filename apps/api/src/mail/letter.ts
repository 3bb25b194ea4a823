/**
 * Every mail of Kurir is a letter: what happened, what to do, one link, and why it comes. A letter has its sentences in both
 * languages, and a mail has those of its reader, as text and as HTML. Nothing in it is loaded from elsewhere.
 */
import { isLanguage, type Language } from '@kurir/contracts';
import { htmlPage, joinMarkup, markup } from '../pages/html-page.js';
import type { Mail } from './mailer.js';

export type Both = readonly [indonesian: string, english: string];

export type Letter = {
  /** Also the heading. */
  readonly subject: Both;
  /** Mail programs show the first one beside the subject. */
  readonly paragraphs: readonly Both[];
  /** Stands after the first paragraph. */
  readonly list: readonly Both[];
  readonly link: { readonly url: string; readonly label: Both };
  /** Begins with "You get this email because". */
  readonly why: Both;
  /** The page on which the person can switch such mails off. Null: these always come. */
  readonly choicesUrl: string | null;
};

export type Addressee = {
  readonly email: string;
  /** The person's language. Anything else: it is not known yet, and the mail is in Indonesian. */
  readonly language?: unknown;
};

const choicesNote: Both = ['Atur pemberitahuan mana yang Anda terima', 'Choose which notices you get'];
const linkNote: Both = [
  'Jika tombolnya tidak bisa dibuka, salin alamat ini ke browser:',
  'If the button does not work, copy this address to your browser:',
];

type Pick = (both: Both) => string;
const pickIn =
  (language: Language): Pick =>
  ([indonesian, english]) =>
    language === 'id' ? indonesian : english;

/** A mail program may ignore the style sheet, so each element has its own style. The sheet only adds dark colours. */
const styles = {
  page: 'margin:0;padding:32px 16px;background:#fbfaf7;color:#1b2230;font:16px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif',
  card: 'max-width:34rem;margin:0 auto;padding:28px;background:#fff;border:1px solid #dfe0e2;border-radius:12px',
  brand: 'margin:0 0 24px;font-weight:700;color:#2f4794',
  heading: 'margin:0 0 16px;font-size:22px;line-height:1.3;overflow-wrap:anywhere',
  line: 'margin:0 0 14px;overflow-wrap:anywhere',
  list: 'margin:0 0 14px;padding-left:22px;overflow-wrap:anywhere',
  action: 'margin:24px 0',
  button:
    'display:inline-block;padding:12px 20px;background:#2f4794;color:#fff;border-radius:8px;font-weight:600;text-decoration:none',
  small: 'margin:0;font-size:13px;color:#4a5160;overflow-wrap:anywhere',
  link: 'color:#2f4794',
  foot: 'max-width:34rem;margin:20px auto 0;padding:0 28px',
  footLine: 'margin:0 0 8px;font-size:13px;color:#4a5160',
  hidden: 'display:none;max-height:0;overflow:hidden',
};

const sheet = `
:root { color-scheme: light dark; }
body { margin: 0; background: #fbfaf7; }
@media (prefers-color-scheme: dark) {
  body { background: #0f131a; }
  .page { background: #0f131a !important; color: #edece8 !important; }
  .card { background: #161b23 !important; border-color: #2b323d !important; }
  .soft { color: #b6bcc8 !important; }
  .brand, .link { color: #9fb3f0 !important; }
  .button { background: #9fb3f0 !important; color: #0e1730 !important; }
}
`;

function textOf({ subject, paragraphs, list, link, why, choicesUrl }: Letter, pick: Pick): string {
  const [first = '', ...others] = paragraphs.map(pick);
  const body = [[first, ...list.map((both) => `- ${pick(both)}`)].join('\n'), ...others];
  const choices = choicesUrl === null ? [] : [`${pick(choicesNote)}:\n${choicesUrl}`];
  const parts = [pick(subject), ...body, `${pick(link.label)}:\n${link.url}`, `-- \n${pick(why)}`, ...choices, 'Kurir'];
  return `${parts.join('\n\n')}\n`;
}

function htmlOf({ subject, paragraphs, list, link, why, choicesUrl }: Letter, language: Language): string {
  const pick = pickIn(language);
  const [first = markup``, ...others] = paragraphs.map((both) => markup`<p style="${styles.line}">${pick(both)}</p>`);
  const items = list.map((both) => markup`<li>${pick(both)}</li>`);
  const shown = items.length === 0 ? [] : [markup`<ul style="${styles.list}">${joinMarkup(items)}</ul>`];
  const choices =
    choicesUrl === null
      ? markup``
      : markup`<p class="soft" style="${styles.footLine}"><a class="link" style="${styles.link}" href="${choicesUrl}">${pick(choicesNote)}</a></p>`;
  const body = markup`<div style="${styles.hidden}">${pick(paragraphs[0] ?? ['', ''])}</div>
<div class="page" style="${styles.page}">
<main class="card" style="${styles.card}">
<p class="brand" style="${styles.brand}">Kurir</p>
<h1 style="${styles.heading}">${pick(subject)}</h1>
${joinMarkup([first, ...shown, ...others])}
<p style="${styles.action}"><a class="button" style="${styles.button}" href="${link.url}">${pick(link.label)}</a></p>
<p class="soft" style="${styles.small}">${pick(linkNote)}<br><a class="link" style="${styles.link}" href="${link.url}">${link.url}</a></p>
</main>
<footer style="${styles.foot}"><p class="soft" style="${styles.footLine}">${pick(why)}</p>${choices}</footer>
</div>`;
  return htmlPage({ lang: language, title: pick(subject), style: sheet, body });
}

export function letterMail({ email, language: known }: Addressee, letter: Letter): Mail {
  const language = isLanguage(known) ? known : 'id';
  const pick = pickIn(language);
  return {
    recipient: email,
    subject: pick(letter.subject),
    text: textOf(letter, pick),
    html: htmlOf(letter, language),
  };
}
