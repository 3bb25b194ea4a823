import type { DashboardData } from '@kurir/contracts/dashboard';
import { usePages } from '../http/use-pages.js';
import { addressOf } from '../http/call.js';
import { formatRupiah } from '../format/format.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { Badge } from '../ui/badge.js';
import { Moment } from '../ui/moment.js';
import { PagedTable } from '../ui/tables/paged-table.js';
import type { Tone } from '../ui/tone.js';
import { moneyTexts } from './texts.js';

type State = DashboardData<'getRenewal'>['state'];
const tones: Record<State, Tone> = { pending: 'warn', paid: 'ok', expired: 'neutral', cancelled: 'neutral' };

export function Renewals() {
  const t = useTexts(moneyTexts);
  const language = useLanguage();
  const list = usePages('listRenewals');
  return (
    <PagedTable
      label={t.renewals}
      empty={t.noRenewals}
      list={list}
      rows={list.data?.pages.flatMap((page) => page.renewals) ?? []}
      idOf={(row) => row.renewal_id}
      columns={[
        { name: 'plan', header: t.plan, cell: (row) => row.plan },
        {
          name: 'state',
          header: t.state,
          card: 'corner',
          cell: (row) => <Badge tone={tones[row.state]}>{t.states[row.state]}</Badge>,
        },
        { name: 'created', header: t.created, cell: (row) => <Moment at={row.created_at} /> },
        {
          name: 'paid',
          header: t.paidAt,
          cell: (row) => (row.paid_at === null ? '–' : <Moment at={row.paid_at} />),
        },
        {
          name: 'invoice',
          header: t.invoice,
          cell: (row) =>
            row.invoice_number === null ? (
              '–'
            ) : (
              <a
                href={addressOf('downloadInvoice', { params: { invoice_id: row.renewal_id }, query: { language } })}
                download
                className="-my-2.5 inline-block py-2.5 font-medium text-accent hover:underline"
              >
                {row.invoice_number}
              </a>
            ),
        },
        { name: 'price', header: t.price, numeric: true, cell: (row) => formatRupiah(row.price, language) },
        {
          name: 'pay',
          header: <span className="sr-only">{t.pay}</span>,
          numeric: true,
          cell: (row) =>
            row.state === 'pending' && (
              <a href={row.payment_url} className="font-medium text-accent hover:underline">
                {t.pay}
              </a>
            ),
        },
      ]}
    />
  );
}
