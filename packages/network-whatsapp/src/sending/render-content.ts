import type { Content } from '@kurir/contracts';
import type { proto } from 'baileys';

export type Rendered = {
  readonly message: proto.IMessage;
  /** The attribute `type` of the stanza, by which the server routes it. */
  readonly type: 'text';
};

/** Renders a content as the message of WhatsApp's clients. */
export function renderContent(content: Content): Rendered {
  switch (content.kind) {
    case 'text':
      return { message: { extendedTextMessage: { text: content.text } }, type: 'text' };
  }
}
