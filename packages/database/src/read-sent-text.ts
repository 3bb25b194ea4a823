import type { DeviceId } from '@kurir/contracts';
import type { Database } from './connect.js';

export type SentText = { readonly recipient: string; readonly text: string };

/** What went out from the device under this id, for a receiver that asks for it again; null when it is not known any more. */
export async function readSentText(
  database: Database,
  deviceId: DeviceId,
  networkMessageId: string,
): Promise<SentText | null> {
  const { rows } = await database.pool.query<SentText>({
    name: 'read-sent-text',
    text: `SELECT recipient, body AS text FROM messages
           WHERE device_id = $1 AND network_message_id = $2 AND attempts > 0`,
    values: [deviceId, networkMessageId],
  });
  return rows[0] ?? null;
}
