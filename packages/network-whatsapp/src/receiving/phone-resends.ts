/**
 * Finds the messages that the account's phone reads for us. The network sends some messages to a companion without a
 * text, and Baileys asks the phone for them. The phone then sends the message as it stored it.
 */
import { areJidsSameUser, type BinaryNode, normalizeMessageContent, proto, type WAMessage } from 'baileys';
import { BoundedCache } from '../socket/bounded-cache.js';

export type ResentByPhone = { readonly stanza: BinaryNode; readonly message: WAMessage };

const EXPECTED = 500;
const EXPECTED_FOR_MS = 3_600_000;

export class PhoneResends {
  /** By message id. The stanza knows more of its sender than the phone's answer. */
  readonly #expected = new BoundedCache<BinaryNode>(EXPECTED, EXPECTED_FOR_MS);

  expect(stanza: BinaryNode): void {
    this.#expected.set(stanza.attrs['id'] ?? '', stanza);
  }

  /** The messages in an answer of the phone. `message` is from the account's own phone. */
  in({ message }: WAMessage): readonly ResentByPhone[] {
    const answer = normalizeMessageContent(message)?.protocolMessage?.peerDataOperationRequestResponseMessage;
    return (answer?.peerDataOperationResult ?? []).flatMap(({ placeholderMessageResendResponse: resent }) => {
      const read = resent?.webMessageInfoBytes ? decode(resent.webMessageInfoBytes) : null;
      const stanza = read && (this.#expectedLike(read) ?? stanzaOf(read));
      // Baileys' `WAMessage` is this type, with a key that is there.
      return read?.message && stanza ? [{ stanza, message: read as WAMessage }] : [];
    });
  }

  /** Two people may use the same id. */
  #expectedLike({ key }: proto.IWebMessageInfo): BinaryNode | undefined {
    const stanza = this.#expected.get(key?.id ?? '');
    return stanza && areJidsSameUser(stanza.attrs['from'], key?.remoteJid ?? undefined) ? stanza : undefined;
  }
}

function decode(bytes: Uint8Array): proto.IWebMessageInfo | null {
  try {
    return proto.WebMessageInfo.decode(bytes);
  } catch {
    // The phone sent rubbish. Nobody can read this message.
    return null;
  }
}

/** A stanza as the network would have sent it. After a restart, the driver knows no other. Null: the owner wrote it. */
function stanzaOf({ key, participant, pushName, messageTimestamp }: proto.IWebMessageInfo): BinaryNode | null {
  if (!key?.id || !key.remoteJid || key.fromMe) return null;
  const attrs: Record<string, string> = { id: key.id, from: key.remoteJid, t: String(messageTimestamp ?? '') };
  const author = key.participant ?? participant;
  if (author) attrs['participant'] = author;
  if (pushName) attrs['notify'] = pushName;
  return { tag: 'message', attrs };
}
