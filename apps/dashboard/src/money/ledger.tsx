import { usePages } from '../http/use-pages.js';
import { formatMoment, formatRupiah, shortenId } from '../format/format.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { PagedTable } from '../ui/tables/paged-table.js';
import { moneyTexts } from './texts.js';

export function Ledger() {
  const t = useTexts(moneyTexts);
  const language = useLanguage();
  const list = usePages('listLedger');
  return (
    <PagedTable
      label={t.ledger}
      empty={t.noLedger}
      list={list}
      rows={list.data?.pages.flatMap((page) => page.entries) ?? []}
      idOf={(row) => row.entry_id}
      columns={[
        { name: 'time', header: t.time, cell: (row) => formatMoment(row.created_at, language) },
        { name: 'kind', header: t.kind, card: 'title', cell: (row) => t.kinds[row.kind] },
        { name: 'provider', header: t.provider, cell: (row) => row.provider },
        {
          name: 'payment',
          header: t.invoice,
          cell: (row) => (
            <span title={row.provider_payment}>
              {row.invoice_number ?? <code>{shortenId(row.provider_payment)}</code>}
            </span>
          ),
        },
        {
          name: 'amount',
          header: t.amount,
          numeric: true,
          card: 'corner',
          cell: (row) => formatRupiah(row.amount, language),
        },
      ]}
    />
  );
}
