import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { devicesQuery } from '../devices/device-queries.js';
import { formatMoment, shortenId } from '../format/format.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { CopyButton } from '../ui/copy-button.js';
import { BroadcastName } from './broadcast-name.js';
import { MessageText } from './message-text.js';
import type { MessageDetail } from './status.js';
import { messageTexts } from './texts.js';

function Fact({ name, copy, children }: { name: string; copy?: string | null; children: ReactNode }) {
  return (
    <div className="flex min-h-10 items-center justify-between gap-4 border-t border-line text-sm">
      <dt className="shrink-0 text-ink-soft">{name}</dt>
      <dd className="flex min-w-0 items-center gap-1 text-right">
        <span className="min-w-0 truncate">{children}</span>
        {copy !== undefined && copy !== null && <CopyButton text={copy} iconOnly className="-mr-2" />}
      </dd>
    </div>
  );
}

export function MessageFacts({ message }: { message: MessageDetail }) {
  const t = useTexts(messageTexts);
  const language = useLanguage();
  const devices = useQuery(devicesQuery());
  const device = devices.data?.find(({ device_id }) => device_id === message.device_id);
  return (
    <div>
      <dl>
        <Fact name={t.jobId} copy={message.job_id}>
          <code title={message.job_id}>{shortenId(message.job_id)}</code>
        </Fact>
        {message.client_ref !== null && (
          <Fact name={t.ref} copy={message.client_ref}>
            <code>{message.client_ref}</code>
          </Fact>
        )}
        <Fact name={t.device}>
          <Link
            to="/devices/$deviceId"
            params={{ deviceId: message.device_id }}
            className="text-accent hover:underline"
          >
            {device?.name ?? shortenId(message.device_id)}
          </Link>
        </Fact>
        {message.broadcast_id !== null && (
          <Fact name={t.broadcast}>
            <BroadcastName broadcastId={message.broadcast_id} />
          </Fact>
        )}
        <Fact name={t.priority}>{message.priority}</Fact>
        <Fact name={t.attempts}>{message.attempts}</Fact>
        <Fact name={t.sentBy}>{message.sent_by.name ?? shortenId(message.sent_by.id)}</Fact>
        {message.send_at !== null && <Fact name={t.sendAt}>{formatMoment(message.send_at, language)}</Fact>}
        {message.expires_at !== null && <Fact name={t.expiresAt}>{formatMoment(message.expires_at, language)}</Fact>}
        {message.network_message_id !== null && (
          <Fact name={t.networkId} copy={message.network_message_id}>
            <code>{message.network_message_id}</code>
          </Fact>
        )}
        <Fact name={t.requestId} copy={message.request_id}>
          <code title={message.request_id}>{shortenId(message.request_id)}</code>
        </Fact>
      </dl>
      <MessageText key={message.job_id} message={message} />
    </div>
  );
}
