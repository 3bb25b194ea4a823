/**
 * Tells the network that messages were read. Baileys asks for the account's privacy settings first: an owner who shows
 * nobody that messages were read has them marked for the own devices only.
 */
import type { Chat, ReadMark } from '@kurir/network';
import type { WAMessageKey, WASocket } from 'baileys';
import type { People } from '../people/people.js';
import { jidOfGroup } from '../socket/jid.js';

/** Resolves when the connection accepted it. Rejects when it ended, or as the store does. */
export async function markRead(
  socket: WASocket,
  people: People,
  chat: Chat,
  messages: readonly ReadMark[],
): Promise<void> {
  const keys: WAMessageKey[] = [];
  for (const { networkMessageId: id, userId } of messages) {
    const address = await people.knownAddress(userId);
    const place =
      chat.type === 'group' ? { remoteJid: jidOfGroup(chat.id), participant: address } : { remoteJid: address };
    keys.push({ id, fromMe: false, ...place });
  }
  if (keys.length > 0) await socket.readMessages(keys);
}
