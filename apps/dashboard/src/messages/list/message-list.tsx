import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { devicesQuery } from '../../devices/device-queries.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import { useNow } from '../../ui/moment.js';
import type { Message } from '../status.js';
import { dayGroups, dayName } from './day-groups.js';
import { MessageRow, rowColumns } from './message-row.js';
import { listTexts } from './texts.js';
import { useBroadcastNames } from './use-broadcast-names.js';
import { useRowKeys } from './use-row-keys.js';

type MessageListProps = { rows: readonly Message[]; openId: string | undefined; onOpen: (jobId: string) => void };

/** Shows messages under the days on which they were accepted. */
export function MessageList({ rows, openId, onOpen }: MessageListProps) {
  const t = useTexts(listTexts);
  const language = useLanguage();
  const now = useNow();
  const list = useRef<HTMLDivElement>(null);
  useRowKeys(list);
  const devices = useQuery(devicesQuery());
  const broadcasts = useBroadcastNames(rows.some((row) => row.broadcast_id !== null));
  return (
    <div ref={list}>
      <div className={`hidden border-b border-line px-5 py-2.5 text-xs text-ink-faint sm:grid ${rowColumns}`}>
        <span>{t.status}</span>
        <span>{t.recipient}</span>
        <span>{t.about}</span>
        <span>{t.device}</span>
        <span className="text-right">{t.accepted}</span>
      </div>
      {dayGroups(rows).map(({ day, rows: ofDay }) => {
        const name = dayName(day, now, language, t);
        return (
          <section key={day} aria-label={name}>
            <h2 className="border-b border-line bg-sunken px-5 py-1.5 text-xs font-medium text-ink-soft">{name}</h2>
            <ul aria-label={`${t.list}: ${name}`} className="border-b border-line last:border-0">
              {ofDay.map((message) => (
                <li key={message.job_id} className="border-b border-line last:border-0">
                  <MessageRow
                    message={message}
                    isOpen={openId === message.job_id}
                    device={devices.data?.find(({ device_id: id }) => id === message.device_id)?.name}
                    broadcast={message.broadcast_id === null ? undefined : broadcasts.get(message.broadcast_id)}
                    onOpen={onOpen}
                  />
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}
