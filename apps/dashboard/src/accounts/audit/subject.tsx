/** The thing that an entry of the audit log is about. The beginning of its id says where its page is. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { shortenId } from '../../format/format.js';
import { useTexts } from '../../i18n/texts.js';
import { auditTexts } from './texts.js';

const linkClass = 'text-accent underline-offset-2 hover:underline';

function LinkTo({ id, children }: { id: string; children: ReactNode }) {
  switch (id.slice(0, 4)) {
    case 'dev_':
      return (
        <Link to="/devices/$deviceId" params={{ deviceId: id }} className={linkClass}>
          {children}
        </Link>
      );
    case 'brc_':
      return (
        <Link to="/broadcasts/$broadcastId" params={{ broadcastId: id }} className={linkClass}>
          {children}
        </Link>
      );
    case 'whk_':
      return (
        <Link to="/webhooks/$webhookId" params={{ webhookId: id }} className={linkClass}>
          {children}
        </Link>
      );
    case 'tpl_':
      return (
        <Link to="/templates/$templateId" params={{ templateId: id }} className={linkClass}>
          {children}
        </Link>
      );
    case 'con_':
      return (
        <Link to="/contacts/$contactId" params={{ contactId: id }} className={linkClass}>
          {children}
        </Link>
      );
    case 'msg_':
      return (
        <Link to="/messages" search={{ job: id }} className={linkClass}>
          {children}
        </Link>
      );
    case 'kk_l':
    case 'kk_t':
      return (
        <Link to="/keys" className={linkClass}>
          {children}
        </Link>
      );
    default:
      return children;
  }
}

type SubjectProps = { subject: string | null; subject_name: string | null; number_ends: string | null };

export function Subject({ subject, subject_name: name, number_ends: numberEnds }: SubjectProps) {
  const t = useTexts(auditTexts);
  if (subject === null) return '–';
  return (
    <>
      <LinkTo id={subject}>
        {name === null ? (
          <code title={subject}>{shortenId(subject)}</code>
        ) : (
          <span title={subject}>{subject.startsWith('kk_') ? t.key(name) : name}</span>
        )}
      </LinkTo>
      {numberEnds !== null && ` · …${numberEnds}`}
    </>
  );
}
