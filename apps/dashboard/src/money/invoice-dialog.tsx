import type { ReactNode } from 'react';
import { formatCount, formatDay, formatRupiah } from '../format/format.js';
import { addressOf } from '../http/call.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { Brand } from '../ui/brand.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { type Invoice, type Party, restDaysOf } from './rows.js';
import { moneyTexts } from './texts.js';

type Shown = { readonly invoice: Invoice; readonly seller: Party };

export function InvoiceDialog({ shown, onClose }: { shown: Shown | null; onClose: () => void }) {
  const t = useTexts(moneyTexts);
  return (
    <Dialog
      open={shown !== null}
      onClose={onClose}
      title={`${t.invoice} ${shown?.invoice.number ?? ''}`}
      shape="wide-card"
    >
      {shown !== null && <InvoiceBody {...shown} />}
    </Dialog>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-6 border-t border-line py-2.5">
      <dt className="text-ink-soft">{name}</dt>
      <dd className="min-w-0 text-right wrap-anywhere">{children}</dd>
    </div>
  );
}

/** Name, address and tax number under each other. Renders nothing if none is given. */
function PartyLines({ heading, party }: { heading: string; party: Party }) {
  const t = useTexts(moneyTexts);
  const { name, address, tax_number: taxNumber } = party;
  if (name === null && address === null && taxNumber === null) return null;
  return (
    <div className="min-w-0 flex-1 basis-48">
      <p className="text-ink-soft">{heading}</p>
      {name !== null && <p className="font-medium wrap-anywhere">{name}</p>}
      {address !== null && <p className="whitespace-pre-line wrap-anywhere">{address}</p>}
      {taxNumber !== null && (
        <p className="wrap-anywhere">
          {t.taxNumber} {taxNumber}
        </p>
      )}
    </div>
  );
}

function InvoiceBody({ invoice, seller }: Shown) {
  const t = useTexts(moneyTexts);
  const language = useLanguage();
  const rest = restDaysOf(invoice);
  const method = invoice.method === null ? null : t.methods[invoice.method];
  const pdf = addressOf('downloadInvoice', { params: { invoice_id: invoice.invoice_id }, query: { language } });
  return (
    <div className="flex flex-col gap-6 text-sm">
      <div className="flex items-center justify-between">
        <Brand />
        <span className="flex gap-2 print:hidden">
          <Button size="small" asChild>
            <a href={pdf} download>
              {t.downloadPdf}
            </a>
          </Button>
          <Button size="small" onClick={() => window.print()}>
            {t.print}
          </Button>
        </span>
      </div>
      <div className="flex flex-wrap gap-6">
        <PartyLines heading={t.seller} party={seller} />
        <PartyLines
          heading={t.billedTo}
          party={{ ...invoice.billed_to, name: invoice.billed_to.name ?? invoice.account_name }}
        />
      </div>
      <dl>
        <Line name={t.paidAt}>{formatDay(invoice.paid_at, language)}</Line>
        <Line name={t.plan}>
          {invoice.plan}, {t.days(invoice.duration_days)}
          {rest > 0 && ` + ${t.rest(rest)}`},{' '}
          {invoice.quota === null ? t.unlimited : t.messages(formatCount(invoice.quota, language))}
        </Line>
        <Line name={t.period}>
          {formatDay(invoice.period_start, language)} – {formatDay(invoice.period_end, language)}
        </Line>
        <Line name={t.paymentId}>
          {invoice.provider === 'sandbox'
            ? [method, `(${t.testPayment})`].filter((part) => part !== null).join(' ')
            : `${method ?? invoice.provider} · ${invoice.provider_payment}`}
        </Line>
        <div className="flex justify-between gap-6 border-t-2 border-ink pt-3 text-lg font-semibold tabular">
          <dt>{t.total}</dt>
          <dd>{formatRupiah(invoice.amount, language)}</dd>
        </div>
      </dl>
    </div>
  );
}
