/** The payment page of the sandbox provider, in one language at a time. It is made for a phone and has no script. */
import type { Language, RenewalState } from '@kurir/contracts';
import type { PayableRenewal } from '@kurir/database';
import { htmlPage, type Markup, markup } from '../pages/html-page.js';
import { paymentTexts } from './payment-texts.js';
import { rupiah } from './rupiah.js';

const style = `
:root { color-scheme: light dark; --line: #d9dee5; --ink: #17202b; --soft: #566170; --page: #f3f5f8; --card: #fff; --go: #0b6e4f; --on-go: #fff; --link: #2b4287; }
@media (prefers-color-scheme: dark) { :root { --line: #36404c; --ink: #eef2f6; --soft: #a5b0bd; --page: #12171d; --card: #1b222b; --go: #4ac795; --on-go: #0c1a14; --link: #a9bdf5; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--page); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
.page { width: 100%; max-width: 26rem; }
header { display: flex; align-items: center; justify-content: space-between; gap: 1rem; margin-bottom: .75rem; }
.brand { display: flex; align-items: center; gap: .6rem; font-weight: 700; }
main { background: var(--card); border: 1px solid var(--line); border-radius: 1rem; padding: 1.5rem; }
h1 { margin: 0 0 1rem; font-size: 1.25rem; }
dl { margin: 0; }
dl div { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; padding: .6rem 0; border-top: 1px solid var(--line); }
dt { color: var(--soft); }
dd { margin: 0; text-align: right; font-weight: 600; overflow-wrap: anywhere; }
.price { font-size: 1.5rem; }
.state { margin: 1rem 0 0; font-weight: 700; }
a { color: var(--link); }
header a, .back { display: inline-block; padding: .5rem 0; }
.back { margin-top: .5rem; }
button { width: 100%; margin-top: 1.25rem; padding: .9rem; border: 0; border-radius: .7rem; background: var(--go); color: var(--on-go); font: inherit; font-weight: 700; cursor: pointer; }
button:focus-visible, a:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; }
small { display: block; margin-top: 1rem; color: var(--soft); }
`;

const mark = markup`<svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#2b4287"/><path d="M9 7.5v17M9 17.2 21.5 7.5M13.6 13.7 22 24.5" fill="none" stroke="#fbfaf7" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round"/><circle cx="22.6" cy="24.4" r="2.6" fill="#f3b94d"/></svg>`;

const others: Record<Language, Language> = { id: 'en', en: 'id' };

function page(language: Language, title: string, content: Markup): string {
  const other = others[language];
  const body = markup`<div class="page">
<header><span class="brand">${mark}Kurir</span><a href="?lang=${other}" lang="${other}" hreflang="${other}">${paymentTexts[other].thisLanguage}</a></header>
<main><h1>${title}</h1>
${content}
<a class="back" href="/app/billing">${paymentTexts[language].back}</a></main></div>`;
  return htmlPage({ lang: language, title: `${title} · Kurir`, style, body });
}

const row = (name: string, value: string, isPrice = false): Markup =>
  markup`<div><dt>${name}</dt><dd${isPrice ? markup` class="price"` : ''}>${value}</dd></div>\n`;

/** The lines of a receipt, in Jakarta's time, as the invoices have them. */
function receiptOf({ paidAt, id }: PayableRenewal, language: Language): Markup {
  if (paidAt === null) return markup``;
  const t = paymentTexts[language];
  const at = new Intl.DateTimeFormat(t.locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'Asia/Jakarta',
  }).format(paidAt);
  return markup`${row(t.paidAt, `${at} WIB`)}${row(t.number, id)}`;
}

export function paymentPage(renewal: PayableRenewal, language: Language): string {
  const t = paymentTexts[language];
  const state: RenewalState = renewal.state;
  const payForm = markup`<form method="post"><button type="submit">${t.pay(rupiah(renewal.priceRupiah, language))}</button></form>`;
  return page(
    language,
    state === 'paid' ? t.receipt : t.title,
    markup`<dl>
${row(t.account, renewal.accountName)}${row(t.plan, renewal.planName)}${row(t.duration, t.days(renewal.durationDays))}${receiptOf(renewal, language)}${row(t.price, rupiah(renewal.priceRupiah, language), true)}</dl>
<p class="state" role="status">${t.states[state]}</p>
${state === 'pending' ? payForm : ''}
<small>${t.sandbox}</small>`,
  );
}

export type PayNotice = keyof (typeof paymentTexts)['id']['notices'];

/** Makes a page that shows only a message. */
export function noticePage(notice: PayNotice, language: Language): string {
  const { title, text } = paymentTexts[language].notices[notice];
  return page(language, title, markup`<p>${text}</p>`);
}

export const paymentPageStyle = style;
