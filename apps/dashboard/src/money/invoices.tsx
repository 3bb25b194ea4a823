import { useState } from 'react';
import { usePages } from '../http/use-pages.js';
import { formatDay, formatRupiah } from '../format/format.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { PagedTable } from '../ui/tables/paged-table.js';
import { InvoiceDetails } from './invoice-details.js';
import { InvoiceDialog } from './invoice-dialog.js';
import type { Invoice, Party } from './rows.js';
import { moneyTexts } from './texts.js';

const nobody: Party = { name: null, tax_number: null, address: null };

export function Invoices() {
  const t = useTexts(moneyTexts);
  const language = useLanguage();
  const list = usePages('listInvoices');
  const [open, setOpen] = useState<Invoice | null>(null);
  const seller = list.data?.pages[0]?.seller ?? nobody;
  return (
    <>
      <PagedTable
        label={t.invoices}
        empty={t.noInvoices}
        list={list}
        rows={list.data?.pages.flatMap((page) => page.invoices) ?? []}
        idOf={(row) => row.invoice_id}
        columns={[
          {
            name: 'number',
            header: t.number,
            cell: (row) => (
              <button
                type="button"
                className="-my-2.5 py-2.5 font-medium text-accent hover:underline"
                onClick={() => setOpen(row)}
              >
                {row.number}
              </button>
            ),
          },
          { name: 'plan', header: t.plan, cell: (row) => row.plan },
          {
            name: 'period',
            header: t.period,
            cell: (row) => `${formatDay(row.period_start, language)} – ${formatDay(row.period_end, language)}`,
          },
          { name: 'paid', header: t.paidAt, cell: (row) => formatDay(row.paid_at, language) },
          {
            name: 'amount',
            header: t.amount,
            numeric: true,
            card: 'corner',
            cell: (row) => formatRupiah(row.amount, language),
          },
        ]}
      />
      <InvoiceDetails />
      <InvoiceDialog shown={open === null ? null : { invoice: open, seller }} onClose={() => setOpen(null)} />
    </>
  );
}
