import type { Content } from '@kurir/contracts';
import type { proto } from 'baileys';

export type Rendered = {
  readonly message: proto.IMessage;
  /** Attribute `type` of the stanza, by which the server routes it. */
  readonly type: 'text';
};

/** A content as WhatsApp's clients write it. */
export function renderContent(content: Content): Rendered {
  switch (content.kind) {
    case 'text':
      return { message: { extendedTextMessage: { text: content.text } }, type: 'text' };
  }
}
