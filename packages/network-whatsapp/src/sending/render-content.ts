import type { Content } from '@kurir/contracts';
import type { ReplyTo } from '@kurir/network';
import type { proto, WASocket } from 'baileys';
import { ownAccountLike } from '../socket/baileys-socket.js';

export type Rendered = {
  readonly message: proto.IMessage;
  /** The attribute `type` of the stanza, by which the server routes it. */
  readonly type: 'text';
};

/** The message that another one answers, with the address of its author. */
export type Quote = { readonly networkMessageId: string; readonly author: string; readonly text: string | null };

/** `to` is the address of the chat. Null: the message answers none. */
export function quoteOf(socket: WASocket, replyTo: ReplyTo | undefined, to: string): Quote | null {
  if (replyTo === undefined) return null;
  const { networkMessageId, text, writtenByUs } = replyTo;
  return { networkMessageId, text, author: writtenByUs ? ownAccountLike(socket, to) : to };
}

/** Renders a content as the message of WhatsApp's clients. */
export function renderContent(content: Content, quote: Quote | null): Rendered {
  switch (content.kind) {
    case 'text': {
      const context = quote === null ? {} : { contextInfo: contextOf(quote) };
      return { message: { extendedTextMessage: { text: content.text, ...context } }, type: 'text' };
    }
  }
}

function contextOf({ networkMessageId, author, text }: Quote): proto.IContextInfo {
  return { stanzaId: networkMessageId, participant: author, quotedMessage: { conversation: text ?? '' } };
}
