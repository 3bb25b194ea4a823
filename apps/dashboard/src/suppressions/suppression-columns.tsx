import { shortenId } from '../format/format.js';
import { formatPhone } from '../format/phone.js';
import { useTexts } from '../i18n/texts.js';
import { Person } from '../people/person.js';
import { useMay } from '../session/me.js';
import { Badge } from '../ui/badge.js';
import { Moment } from '../ui/moment.js';
import type { Column } from '../ui/tables/columns.js';
import { RemoveButton } from './remove-button.js';
import type { Suppression } from './suppression-queries.js';
import { reasonWords, suppressionTexts } from './texts.js';

/** `asked` is the number that the person looks for: it names an erased one. */
export function useSuppressionColumns(asked: string | undefined): Column<Suppression>[] {
  const t = useTexts(suppressionTexts);
  const reasons = useTexts(reasonWords);
  const mayChange = useMay('developer');
  const nameOf = ({ phone, user_id: userId }: Suppression): string => {
    if (phone !== null) return formatPhone(phone);
    return userId === null ? t.erased : `${t.hidden} · ${shortenId(userId)}`;
  };
  return [
    {
      name: 'who',
      header: t.who,
      card: 'title',
      cell: (row) => <Person phone={row.phone} shown={nameOf(row)} />,
    },
    {
      name: 'scope',
      header: t.scope,
      card: 'corner',
      cell: ({ scope }) => <Badge tone={scope === 'all' ? 'bad' : 'warn'}>{t.scopes[scope]}</Badge>,
    },
    { name: 'reason', header: t.reason, cell: ({ reason }) => reasons[reason] },
    { name: 'since', header: t.since, cell: ({ created_at: at }) => <Moment at={at} /> },
    {
      name: 'remove',
      header: <span className="sr-only">{t.allow.marketing}</span>,
      className: 'text-right',
      cell: (row) => {
        const person = row.phone ?? row.user_id ?? asked ?? null;
        return mayChange && person !== null && <RemoveButton person={person} scope={row.scope} name={nameOf(row)} />;
      },
    },
  ];
}
