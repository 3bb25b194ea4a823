/** The payment page of the sandbox provider. It is made for a phone and has no script. */
import type { RenewalState } from '@kurir/contracts';
import type { Renewal } from '@kurir/database';
import { htmlPage, type Markup, markup } from '../pages/html-page.js';
import { rupiah } from './rupiah.js';

const style = `
:root { color-scheme: light dark; --line: #d9dee5; --ink: #17202b; --soft: #5b6775; --page: #f3f5f8; --card: #fff; --go: #0b6e4f; }
@media (prefers-color-scheme: dark) { :root { --line: #36404c; --ink: #eef2f6; --soft: #a5b0bd; --page: #12171d; --card: #1b222b; --go: #2fa67c; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--page); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 26rem; background: var(--card); border: 1px solid var(--line); border-radius: 1rem; padding: 1.5rem; }
h1 { margin: 0 0 1rem; font-size: 1.25rem; }
dl { margin: 0; }
dl div { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; padding: .6rem 0; border-top: 1px solid var(--line); }
dt { color: var(--soft); }
dd { margin: 0; text-align: right; font-weight: 600; }
.price { font-size: 1.5rem; }
.state { margin: 1rem 0 0; }
button { width: 100%; margin-top: 1.25rem; padding: .9rem; border: 0; border-radius: .7rem; background: var(--go); color: #fff; font: inherit; font-weight: 700; cursor: pointer; }
button:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; }
small, i { color: var(--soft); }
small { display: block; margin-top: 1rem; }
`;

const states: Record<RenewalState, Markup> = {
  pending: markup`<b>Menunggu pembayaran</b><br><i lang="en">Awaiting payment</i>`,
  paid: markup`<b>Lunas. Terima kasih!</b><br><i lang="en">Paid. Thank you!</i>`,
  expired: markup`<b>Kedaluwarsa.</b> Buat perpanjangan baru.<br><i lang="en">Expired. Create a new renewal.</i>`,
  cancelled: markup`<b>Dibatalkan:</b> diganti perpanjangan yang lebih baru.<br><i lang="en">Cancelled: replaced by a newer renewal.</i>`,
};

const payForm = markup`<form method="post"><button type="submit">Bayar sekarang · <span lang="en">Pay now</span></button></form>`;

function page(title: string, content: Markup): string {
  return htmlPage({ lang: 'id', title, style, body: markup`<main>${content}</main>` });
}

export type ShownRenewal = Pick<Renewal, 'planName' | 'durationDays' | 'priceRupiah' | 'state'>;

export function paymentPage(renewal: ShownRenewal): string {
  return page(
    'Pembayaran Kurir',
    markup`<h1>Perpanjangan paket<br><i lang="en">Plan renewal</i></h1>
<dl>
<div><dt>Paket · <span lang="en">Plan</span></dt><dd>${renewal.planName}</dd></div>
<div><dt>Masa aktif · <span lang="en">Duration</span></dt><dd>${renewal.durationDays} hari</dd></div>
<div><dt>Harga · <span lang="en">Price</span></dt><dd class="price">${rupiah(renewal.priceRupiah)}</dd></div>
</dl>
<p class="state" role="status">${states[renewal.state]}</p>
${renewal.state === 'pending' ? payForm : ''}
<small>Pembayaran uji coba: tidak ada uang sungguhan. <span lang="en">Sandbox payment: no real money moves.</span></small>`,
  );
}

/** Makes a page that shows only a message. */
export function noticePage(indonesian: string, english: string): string {
  return page('Kurir', markup`<h1>${indonesian}</h1><p lang="en">${english}</p>`);
}

export const paymentPageStyle = style;
