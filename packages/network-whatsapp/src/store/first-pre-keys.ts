/**
 * Uploads a new device's first one-time pre-keys before Baileys does. Baileys' own upload leaves a timer running, which
 * would keep an idle worker alive.
 */
import { type BinaryNode, getNextPreKeysNode, INITIAL_PREKEY_COUNT, type WASocket } from 'baileys';

export async function uploadFirstPreKeys(socket: WASocket): Promise<void> {
  const { creds, keys } = socket.authState;
  if (creds.nextPreKeyId > 1) return;
  const { update, node } = await keys.transaction(
    // Baileys declares its own result as `unknown`.
    () => getNextPreKeysNode({ creds, keys }, INITIAL_PREKEY_COUNT) as Promise<{ update: object; node: BinaryNode }>,
    creds.me?.id ?? '',
  );
  socket.ev.emit('creds.update', update);
  await socket.query(node);
}
