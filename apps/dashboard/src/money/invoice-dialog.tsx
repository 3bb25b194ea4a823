import type { ReactNode } from 'react';
import { formatCount, formatDay, formatRupiah } from '../format/format.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { Brand } from '../ui/brand.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/overlays/dialog.js';
import type { Invoice } from './rows.js';
import { moneyTexts } from './texts.js';

export function InvoiceDialog({ invoice, onClose }: { invoice: Invoice | null; onClose: () => void }) {
  const t = useTexts(moneyTexts);
  return (
    <Dialog open={invoice !== null} onClose={onClose} title={`${t.invoice} ${invoice?.number ?? ''}`} shape="wide-card">
      {invoice !== null && <InvoiceBody invoice={invoice} />}
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

function InvoiceBody({ invoice }: { invoice: Invoice }) {
  const t = useTexts(moneyTexts);
  const language = useLanguage();
  return (
    <div className="flex flex-col gap-6 text-sm">
      <div className="flex items-center justify-between">
        <Brand />
        <Button size="small" onClick={() => window.print()}>
          {t.print}
        </Button>
      </div>
      <dl>
        <Line name={t.billedTo}>{invoice.account_name}</Line>
        <Line name={t.paidAt}>{formatDay(invoice.paid_at, language)}</Line>
        <Line name={t.plan}>
          {invoice.plan}, {t.days(invoice.duration_days)},{' '}
          {invoice.quota === null ? t.unlimited : t.messages(formatCount(invoice.quota, language))}
        </Line>
        <Line name={t.period}>
          {formatDay(invoice.period_start, language)} – {formatDay(invoice.period_end, language)}
        </Line>
        <Line name={t.paymentId}>
          {invoice.provider} · {invoice.provider_payment}
        </Line>
        <div className="flex justify-between gap-6 border-t-2 border-ink pt-3 text-lg font-semibold tabular">
          <dt>{t.total}</dt>
          <dd>{formatRupiah(invoice.amount, language)}</dd>
        </div>
      </dl>
    </div>
  );
}
