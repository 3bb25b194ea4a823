/** WhatsApp wraps messages in others, for example those that disappear. The inner one is what the person wrote. */
import type { proto } from 'baileys';

export type Message = proto.IMessage;

const WRAPPERS = [
  'deviceSentMessage',
  'ephemeralMessage',
  'viewOnceMessage',
  'viewOnceMessageV2',
  'viewOnceMessageV2Extension',
  'documentWithCaptionMessage',
  'editedMessage',
  'associatedChildMessage',
  'groupMentionedMessage',
  'botInvokeMessage',
  'botForwardedMessage',
  'lottieStickerMessage',
  'pollCreationMessageV4',
  'questionMessage',
  'questionReplyMessage',
] as const satisfies readonly (keyof Message)[];

const DEEPEST = 8;

/** A message that is wrapped more often than any client does stays as it is. */
export function unwrap(message: Message): Message {
  let inner = message;
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    const next = innerOf(inner);
    if (next === null) return inner;
    inner = next;
  }
  return inner;
}

function innerOf(message: Message): Message | null {
  for (const wrapper of WRAPPERS) {
    const inner = message[wrapper]?.message;
    if (inner) return inner;
  }
  return null;
}
