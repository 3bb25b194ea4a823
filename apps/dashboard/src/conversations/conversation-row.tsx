import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { formatCount } from '../format/format.js';
import { formatPhone } from '../format/phone.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { Moment } from '../ui/moment.js';
import { type ListedConversation, useNameOf } from './conversation-queries.js';
import { Face } from './face.js';
import { Preview } from './preview.js';
import { conversationTexts } from './texts.js';

type RowProps = {
  conversation: ListedConversation;
  /** Left out when the account has only one device. */
  deviceName: string | undefined;
  isOpen: boolean;
};

export function ConversationRow({ conversation, deviceName, isOpen }: RowProps) {
  const t = useTexts(conversationTexts);
  const language = useLanguage();
  const { conversation_id: id, unread, phone, last_message: last, last_message_at: writtenAt } = conversation;
  const name = useNameOf(conversation);
  const number = phone === null ? null : formatPhone(phone);
  return (
    <li>
      <Link
        to="/conversations/$conversationId"
        params={{ conversationId: id }}
        search={(search) => search}
        aria-current={isOpen ? 'page' : undefined}
        className={clsx(
          'flex min-h-16 items-center gap-3 border-b border-line px-4 py-3',
          isOpen ? 'bg-accent-soft' : 'hover:bg-sunken',
        )}
      >
        <Face name={name} />
        <span className="min-w-0 flex-1">
          <span className={clsx('block truncate', unread > 0 && 'font-semibold')}>{name}</span>
          {number !== null && number !== name && (
            <span className="block truncate text-xs text-ink-soft tabular">{number}</span>
          )}
          {last !== null && <Preview entry={last} />}
          {deviceName !== undefined && <span className="block truncate text-xs text-ink-soft">{deviceName}</span>}
        </span>
        <span className="flex shrink-0 flex-col items-end gap-1 text-xs text-ink-faint">
          <Moment at={last?.at ?? writtenAt} />
          {unread > 0 && (
            <span className="rounded-full bg-accent px-2 py-0.5 font-medium text-on-accent tabular">
              <span aria-hidden>{formatCount(unread, language)}</span>
              <span className="sr-only">{t.unread(formatCount(unread, language))}</span>
            </span>
          )}
        </span>
      </Link>
    </li>
  );
}
