import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { devicesQuery } from '../devices/device-queries.js';
import { formatClock, shortenId } from '../format/format.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { useMay } from '../session/me.js';
import { Button } from '../ui/button.js';
import { sandboxTexts } from './texts.js';
import type { PhoneMessage } from './written-messages.js';

type ConversationProps = { number: string; messages: readonly PhoneMessage[]; typing: boolean };

export function Conversation({ number, messages, typing }: ConversationProps) {
  const devices = useQuery(devicesQuery());
  const nameOf = (id: string) => devices.data?.find(({ device_id }) => device_id === id)?.name ?? shortenId(id);
  if (messages.length === 0 && !typing) return <NothingYet number={number} />;
  return (
    <ol className="flex flex-col gap-1.5">
      {messages.map((message, i) => (
        <Bubble
          key={message.network_message_id}
          message={message}
          sender={messages[i - 1]?.device_id === message.device_id ? null : nameOf(message.device_id)}
        />
      ))}
      {typing && (
        <li aria-hidden className="flex gap-1 self-start rounded-xl rounded-bl-sm bg-surface px-4 py-3 shadow-lift">
          {[0, 1, 2].map((dot) => (
            <span
              key={dot}
              className="size-1.5 animate-breathe rounded-full bg-ink-faint"
              style={{ animationDelay: `${dot * 180}ms` }}
            />
          ))}
        </li>
      )}
    </ol>
  );
}

function Bubble({ message, sender }: { message: PhoneMessage; sender: string | null }) {
  const t = useTexts(sandboxTexts);
  const language = useLanguage();
  const isMine = message.direction === 'from_phone';
  return (
    <li
      className={clsx(
        'flex max-w-[84%] animate-rise flex-col rounded-xl px-3 py-1.5 text-sm shadow-lift',
        isMine ? 'self-end rounded-br-sm bg-accent-soft' : 'self-start rounded-bl-sm bg-surface',
      )}
    >
      {!isMine && sender !== null && <span className="text-xs font-semibold text-accent">{sender}</span>}
      <span className="break-words whitespace-pre-wrap">{message.text}</span>
      <span className="flex justify-end gap-2 text-[11px] text-ink-faint">
        {message.job_id !== null && (
          <Link to="/messages" search={{ job: message.job_id }} className="-my-3 py-3 hover:text-ink hover:underline">
            {t.seeJob}
          </Link>
        )}
        <time dateTime={message.at} className="tabular">
          {formatClock(message.at, language)}
        </time>
      </span>
    </li>
  );
}

function NothingYet({ number }: { number: string }) {
  const t = useTexts(sandboxTexts);
  const maySend = useMay('developer');
  return (
    <div className="flex h-full flex-col items-center justify-center gap-3 px-6 text-center text-sm">
      <p className="text-base font-semibold">{t.empty}</p>
      <p className="text-ink-soft">{t.emptyNote}</p>
      {maySend && (
        <Button asChild look="primary">
          <Link to="/send" search={{ to: number }}>
            {t.send}
          </Link>
        </Button>
      )}
    </div>
  );
}
