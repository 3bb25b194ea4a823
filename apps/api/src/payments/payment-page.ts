/** The payment page of the sandbox provider, in one language at a time. It is made for a phone and has no script. */
import type { Language } from '@kurir/contracts';
import type { PayableRenewal } from '@kurir/database';
import { htmlPage, joinMarkup, type Markup, markup } from '../pages/html-page.js';
import { invoiceNumber } from './invoices/invoice-number.js';
import { daysText, invoiceTexts } from './invoices/invoice-texts.js';
import { rupiah } from './invoices/rupiah.js';
import { paymentTexts, sandboxMethods } from './payment-texts.js';

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
header a, .link { display: inline-block; padding: .625rem 0; }
.links { display: flex; flex-wrap: wrap; column-gap: 1.5rem; margin-top: .5rem; }
fieldset { margin: 1.25rem 0 0; padding: 0; border: 0; }
legend { padding: 0 0 .5rem; font-weight: 600; }
label { display: flex; align-items: center; gap: .75rem; min-height: 2.75rem; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: .7rem; cursor: pointer; }
label + label { margin-top: .5rem; }
label:has(:checked) { border-color: var(--go); box-shadow: inset 0 0 0 1px var(--go); }
label input { width: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--go); }
label span { flex: 1; }
.tag { flex: none; padding: .1rem .5rem; border: 1px solid var(--line); border-radius: 1rem; color: var(--soft); font-size: .8125rem; }
button { width: 100%; margin-top: 1.25rem; padding: .9rem; border: 0; border-radius: .7rem; background: var(--go); color: var(--on-go); font: inherit; font-weight: 700; cursor: pointer; }
button:focus-visible, a:focus-visible, label:has(:focus-visible) { outline: 3px solid var(--ink); outline-offset: 2px; }
small { display: block; margin-top: 1rem; color: var(--soft); }
`;

const mark = markup`<svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#2b4287"/><path d="M9 7.5v17M9 17.2 21.5 7.5M13.6 13.7 22 24.5" fill="none" stroke="#fbfaf7" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round"/><circle cx="22.6" cy="24.4" r="2.6" fill="#f3b94d"/></svg>`;

const others: Record<Language, Language> = { id: 'en', en: 'id' };

function page(language: Language, title: string, content: Markup, link = markup``): string {
  const other = others[language];
  const body = markup`<div class="page">
<header><span class="brand">${mark}Kurir</span><a href="?lang=${other}" lang="${other}" hreflang="${other}">${paymentTexts[other].thisLanguage}</a></header>
<main><h1>${title}</h1>
${content}
<p class="links">${link}<a class="link" href="/app/billing">${paymentTexts[language].back}</a></p></main></div>`;
  return htmlPage({ lang: language, title: `${title} · Kurir`, style, body });
}

const row = (name: string, value: string, isPrice = false): Markup =>
  markup`<div><dt>${name}</dt><dd${isPrice ? markup` class="price"` : ''}>${value}</dd></div>\n`;

/** Prices are in rupiah, so an account without a zone has that of Jakarta. Each language has its own name of the zone. */
const zoneOf = ({ timeZone }: PayableRenewal): string => timeZone ?? 'Asia/Jakarta';

const momentOf = (at: Date, timeZone: string, language: Language): string =>
  new Intl.DateTimeFormat(paymentTexts[language].locale, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  }).format(at);

function periodOf(renewal: PayableRenewal, language: Language): string {
  const day = new Intl.DateTimeFormat(paymentTexts[language].locale, {
    dateStyle: 'medium',
    timeZone: zoneOf(renewal),
  });
  return `${day.format(renewal.periodStart)} – ${day.format(renewal.periodEnd)}`;
}

/** The lines that only a receipt has. */
function receiptOf(renewal: PayableRenewal, language: Language): Markup {
  const { paidAt, method, id } = renewal;
  if (paidAt === null) return markup``;
  const t = paymentTexts[language];
  const paidWith = method === null ? t.test : `${invoiceTexts[language].methods[method]} (${t.test})`;
  return joinMarkup([
    row(t.paidAt, momentOf(paidAt, zoneOf(renewal), language)),
    row(t.paidWith, paidWith),
    row(t.number, invoiceNumber({ id, paidAt })),
  ]);
}

function payForm({ priceRupiah }: PayableRenewal, language: Language): Markup {
  const t = paymentTexts[language];
  const choices = sandboxMethods.map(
    (method, i) =>
      markup`<label><input type="radio" name="method" value="${method}"${i === 0 ? markup` checked` : ''}><span>${invoiceTexts[language].methods[method]}</span><span class="tag">${t.test}</span></label>\n`,
  );
  return markup`<form method="post"><fieldset><legend>${t.howToPay}</legend>
${joinMarkup(choices)}</fieldset>
<button type="submit">${t.pay(rupiah(priceRupiah, language))}</button></form>`;
}

export function paymentPage(renewal: PayableRenewal, language: Language): string {
  const t = paymentTexts[language];
  const { state, accountName, planName, priceRupiah, pageToken } = renewal;
  const isPaid = state === 'paid';
  const rows = [
    row(t.account, accountName),
    row(t.plan, planName),
    row(t.duration, daysText(renewal, language)),
    row(t.period, periodOf(renewal, language)),
    receiptOf(renewal, language),
    row(t.price, rupiah(priceRupiah, language), true),
  ];
  return page(
    language,
    isPaid ? t.receipt : t.title,
    markup`<dl>
${joinMarkup(rows)}</dl>
<p class="state" role="status">${t.states[state]}</p>
${state === 'pending' ? payForm(renewal, language) : ''}
<small>${t.sandbox}</small>`,
    isPaid ? markup`<a class="link" href="/pay/${pageToken}/invoice?lang=${language}">${t.invoice}</a>` : markup``,
  );
}

export type PayNotice = keyof (typeof paymentTexts)['id']['notices'];

/** Makes a page that shows only a message. */
export function noticePage(notice: PayNotice, language: Language): string {
  const { title, text } = paymentTexts[language].notices[notice];
  return page(language, title, markup`<p>${text}</p>`);
}

export const paymentPageStyle = style;
