import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { deviceQuery } from '../../devices/device-queries.js';
import { formatPhone } from '../../format/phone.js';
import { useTexts } from '../../i18n/texts.js';
import { useMay, useMayAnswer } from '../../session/me.js';
import { Notice } from '../../ui/notice.js';
import { type Conversation, type Entry, useNameOf } from '../conversation-queries.js';
import { Face } from '../face.js';
import { conversationTexts } from '../texts.js';
import { BackToList } from './back-to-list.js';
import { ChatLines } from './lines/chat-lines-view.js';
import { Composer } from './answer/composer.js';
import { chatTexts } from '../chat-texts.js';
import { useMarkRead } from './use-mark-read.js';
import { useSends } from './answer/use-sends.js';

/** A chat: the person, the messages of both directions, and the field for an answer. */
export function Chat({ conversation }: { conversation: Conversation }) {
  const mayAnswer = useMayAnswer();
  const sends = useSends(conversation);
  const [replyTo, setReplyTo] = useState<Entry | null>(null);
  useMarkRead(conversation, mayAnswer);
  return (
    <>
      <ChatHead conversation={conversation} />
      <ChatLines
        conversation={conversation}
        sends={sends}
        onReply={mayAnswer && conversation.type === 'direct' ? setReplyTo : null}
      />
      <ChatFoot
        conversation={conversation}
        mayAnswer={mayAnswer}
        replyTo={replyTo}
        onSend={(text) => {
          sends.send(text, replyTo);
          setReplyTo(null);
        }}
        onNoReply={() => setReplyTo(null)}
      />
    </>
  );
}

function ChatHead({ conversation }: { conversation: Conversation }) {
  const t = useTexts(conversationTexts);
  const { type, phone } = conversation;
  const name = useNameOf(conversation);
  useEffect(() => {
    document.title = `${name} · Kurir`;
  }, [name]);
  const number = phone === null ? t.hidden : formatPhone(phone);
  return (
    <header className="flex items-center gap-3 border-b border-line px-4 py-3">
      <BackToList />
      <Face name={name} />
      <div className="min-w-0">
        <h1 tabIndex={-1} className="truncate text-base font-semibold outline-none">
          {name}
        </h1>
        {type === 'direct' && number !== name && <p className="truncate text-xs text-ink-soft">{number}</p>}
      </div>
    </header>
  );
}

type FootProps = {
  conversation: Conversation;
  mayAnswer: boolean;
  replyTo: Entry | null;
  onSend: (text: string) => void;
  onNoReply: () => void;
};

function ChatFoot({ conversation, mayAnswer, ...composer }: FootProps) {
  const t = useTexts(chatTexts);
  const maySeeDevices = useMay('viewer');
  const device = useQuery({ ...deviceQuery(conversation.device_id), enabled: maySeeDevices });
  const isAway = device.data !== undefined && device.data.state !== 'connected';
  return (
    <footer className="flex flex-col gap-2 border-t border-line bg-paper px-4 py-3">
      {isAway && (
        <Notice
          tone="warn"
          action={
            <Link
              to="/devices/$deviceId"
              params={{ deviceId: conversation.device_id }}
              className="py-2.5 font-medium underline underline-offset-4"
            >
              {t.openDevice}
            </Link>
          }
        >
          {t.notConnected}
        </Notice>
      )}
      {!mayAnswer && <Notice>{t.viewerOnly}</Notice>}
      {mayAnswer && conversation.type === 'group' && <Notice>{t.noGroups}</Notice>}
      {mayAnswer && conversation.type === 'direct' && <Composer conversation={conversation} {...composer} />}
    </footer>
  );
}
