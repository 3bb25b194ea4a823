import { type AuditAction, auditActions, type DashboardData } from '@kurir/contracts/dashboard';
import { formatMoment, shortenId } from '../../format/format.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import type { Column } from '../../ui/tables/columns.js';
import { auditSentences } from './sentences.js';
import { Subject } from './subject.js';
import { auditTexts } from './texts.js';

export type AuditEntry = DashboardData<'listAudit'>['entries'][number];

/** False for an action that only a newer gateway knows. */
const isAction = (action: string): action is AuditAction => (auditActions as readonly string[]).includes(action);

/** A person and a key may have one name. */
const isKey = (id: string): boolean => id.startsWith('kk_');

/** The person or key, and the rest of the sentence. `action` is in the title, for support. */
function Sentence({ actor, action }: AuditEntry) {
  const t = useTexts(auditTexts);
  const sentences = useTexts(auditSentences);
  const others: Partial<Record<string, string>> = { admin: t.commandLine, unknown: t.somebody, kurir: 'Kurir' };
  const name = actor.name === null ? others[actor.id] : isKey(actor.id) ? t.key(actor.name) : actor.name;
  return (
    <span title={action}>
      {name === undefined ? (
        <code title={actor.id}>{shortenId(actor.id)}</code>
      ) : (
        <b className="font-semibold">{name}</b>
      )}{' '}
      {isAction(action) ? sentences[action] : <code>{action}</code>}
    </span>
  );
}

export function useAuditColumns(): Column<AuditEntry>[] {
  const t = useTexts(auditTexts);
  const language = useLanguage();
  return [
    {
      name: 'time',
      header: t.time,
      card: 'corner',
      className: 'whitespace-nowrap',
      cell: (row) => formatMoment(row.at, language),
    },
    { name: 'what', header: t.what, card: 'title', cell: (row) => <Sentence {...row} /> },
    { name: 'subject', header: t.subject, cell: (row) => <Subject {...row} /> },
    { name: 'address', header: t.address, cell: ({ address }) => address ?? '–' },
  ];
}
