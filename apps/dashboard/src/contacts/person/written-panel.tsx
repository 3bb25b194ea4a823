import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MessageSquareText, MessagesSquare, Send } from 'lucide-react';
import { devicesQuery } from '../../devices/device-queries.js';
import { readQuery } from '../../http/query.js';
import { useTexts } from '../../i18n/texts.js';
import { useMay } from '../../session/me.js';
import { Panel, PanelHead } from '../../ui/layout/panel.js';
import { SkeletonLines } from '../../ui/layout/skeleton.js';
import { Moment } from '../../ui/moment.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { personTexts } from './texts.js';

const place =
  'flex min-h-12 items-center gap-3 border-t border-line px-5 py-2.5 text-sm font-medium -outline-offset-2 hover:bg-sunken last:rounded-b-lg';

/** The ways to everything that was written to or by the person. */
export function WrittenPanel({ phone }: { phone: string }) {
  const t = useTexts(personTexts);
  const maySend = useMay('developer');
  return (
    <Panel>
      <PanelHead title={t.written} />
      <Conversations phone={phone} />
      <Link to="/messages" search={{ q: phone }} className={place}>
        <MessageSquareText aria-hidden className="size-4 shrink-0 text-ink-faint" />
        {t.toMessages}
      </Link>
      {maySend && (
        <Link to="/send" search={{ to: phone }} className={place}>
          <Send aria-hidden className="size-4 shrink-0 text-ink-faint" />
          {t.send}
        </Link>
      )}
    </Panel>
  );
}

/** A person has one conversation with each device. */
function Conversations({ phone }: { phone: string }) {
  const t = useTexts(personTexts);
  const { data, error, refetch } = useQuery(readQuery('listConversations', { query: { phone } }));
  const { data: devices } = useQuery(devicesQuery());
  if (data === undefined)
    return error === null ? <SkeletonLines count={1} /> : <FailureNotice failure={error} onRetry={refetch} />;
  if (data.conversations.length === 0) return <p className="px-5 pb-4 text-sm text-ink-soft">{t.noConversations}</p>;
  const nameOf = (id: string) => devices?.find(({ device_id: one }) => one === id)?.name ?? t.gone;
  return data.conversations.map(({ conversation_id: conversationId, device_id: device, last_message_at: at }) => (
    <Link key={conversationId} to="/conversations/$conversationId" params={{ conversationId }} className={place}>
      <MessagesSquare aria-hidden className="size-4 shrink-0 text-ink-faint" />
      <span className="min-w-0 flex-1 truncate">{t.conversationWith(nameOf(device))}</span>
      <span className="shrink-0 text-xs font-normal text-ink-faint">
        <Moment at={at} />
      </span>
    </Link>
  ));
}
