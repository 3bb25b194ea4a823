/** A mail with what happened, what to do and one link: first in Indonesian, then in English, as text and as HTML. */
import { htmlPage, type Markup, markup, Markup as made } from '../pages/html-page.js';
import type { Mail } from './mailer.js';

export type Both = readonly [indonesian: string, english: string];

export type Letter = {
  readonly subject: Both;
  readonly paragraphs: readonly Both[];
  /** The things that the first paragraph counts. */
  readonly list: readonly Both[];
  readonly link: { readonly url: string; readonly label: Both };
  /** The page on which the person can switch such mails off. Null: these always come. */
  readonly choicesUrl: string | null;
};

const choicesNote: Both = ['Atur pemberitahuan mana yang Anda terima', 'Choose which notices you get'];
const languages = ['id', 'en'] as const;

/** A mail program ignores style sheets, so each element has its own. */
const styles = {
  body: 'margin:0;padding:24px 16px;background:#f6f5f2;color:#1d1c1a;font:16px/1.5 system-ui,-apple-system,sans-serif',
  card: 'max-width:36rem;margin:0 auto;padding:24px;background:#fff;border-radius:12px',
  part: 'margin:0 0 24px',
  line: 'margin:0 0 12px;overflow-wrap:anywhere',
  button: 'display:inline-block;padding:10px 18px;background:#1f5f4a;color:#fff;border-radius:8px;text-decoration:none',
  small: 'margin:24px 0 0;font-size:13px;color:#6b6964',
};

const join = (parts: readonly Markup[]): Markup => new made(parts.map(({ html }) => html).join(''));

function textOf({ paragraphs, list, link, choicesUrl }: Letter): string {
  const part = (language: 0 | 1) => {
    const [first = '', ...others] = paragraphs.map((both) => both[language]);
    return [first, ...list.map((both) => `- ${both[language]}`), ...others].join('\n');
  };
  const choices = choicesUrl === null ? [] : [`${choicesNote.join(' · ')}:\n${choicesUrl}`];
  return `${[part(0), part(1), link.url, ...choices, 'Kurir'].join('\n\n')}\n`;
}

function htmlOf({ subject, paragraphs, list, link, choicesUrl }: Letter): string {
  const part = (language: 0 | 1): Markup => {
    const [first, ...others] = paragraphs.map((both) => markup`<p style="${styles.line}">${both[language]}</p>`);
    const items = list.map((both) => markup`<li>${both[language]}</li>`);
    const shown = items.length === 0 ? [] : [markup`<ul style="${styles.line}">${join(items)}</ul>`];
    const button = markup`<p style="${styles.line}"><a style="${styles.button}" href="${link.url}">${link.label[language]}</a></p>`;
    return markup`<div lang="${languages[language]}" style="${styles.part}">${join([first ?? markup``, ...shown, ...others, button])}</div>`;
  };
  const choices =
    choicesUrl === null
      ? markup``
      : markup`<p style="${styles.small}"><a href="${choicesUrl}">${choicesNote[0]} · <span lang="en">${choicesNote[1]}</span></a></p>`;
  const body = markup`<div style="${styles.body}"><div style="${styles.card}">${part(0)}${part(1)}${choices}</div></div>`;
  return htmlPage({ lang: 'id', title: subject[0], style: '', body });
}

export const letterMail = (recipient: string, letter: Letter): Mail => ({
  recipient,
  subject: letter.subject.join(' · '),
  text: textOf(letter),
  html: htmlOf(letter),
});
