/**
 * Answers a receiver that could not decrypt a message and asks for it again. The text goes only to whom it was sent:
 * anybody can ask for any id.
 */
import type { ConnectOptions } from '@kurir/network';
import type { proto, SocketConfig, WAMessageKey } from 'baileys';
import { numberOfJid } from './jid.js';

export type RetryTexts = {
  readonly readMessage: ConnectOptions['readMessage'];
  /** The phone number's address behind a LID; null when it is not known. */
  findNumber(lid: string): Promise<string | null>;
  /** The address under which a number is written to. */
  addressOf(number: string): string;
};

export function createGetMessage({ readMessage, findNumber, addressOf }: RetryTexts): SocketConfig['getMessage'] {
  return async ({ id, remoteJid }: WAMessageKey): Promise<proto.IMessage | undefined> => {
    if (!readMessage || !id || !remoteJid) return undefined;
    const [sent, asking] = await Promise.all([
      readMessage(id),
      numberOfJid(remoteJid) ?? findNumber(remoteJid).then(numberOfJid),
    ]);
    if (sent === null || asking === null) return undefined;
    const isRecipient = asking === sent.recipient || asking === numberOfJid(addressOf(sent.recipient));
    return isRecipient ? { extendedTextMessage: { text: sent.text } } : undefined;
  };
}
