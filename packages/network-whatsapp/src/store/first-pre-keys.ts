/**
 * Uploads a new device's first one-time pre-keys, before Baileys looks for them. Baileys' own upload leaves a timer of
 * 30 s behind, which would keep a worker alive that has nothing left to do.
 */
import { type BinaryNode, getNextPreKeysNode, INITIAL_PREKEY_COUNT, type WASocket } from 'baileys';

export async function uploadFirstPreKeys(socket: WASocket): Promise<void> {
  const { creds, keys } = socket.authState;
  if (creds.nextPreKeyId > 1) return;
  const { update, node } = await keys.transaction(
    // Baileys' declaration says `unknown` for what it makes itself.
    () => getNextPreKeysNode({ creds, keys }, INITIAL_PREKEY_COUNT) as Promise<{ update: object; node: BinaryNode }>,
    creds.me?.id ?? '',
  );
  socket.ev.emit('creds.update', update);
  await socket.query(node);
}
