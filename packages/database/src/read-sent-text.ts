import type { DeviceId } from '@kurir/contracts';
import type { Database } from './connect.js';
import { knownAs } from './network-message-id.js';

export type SentText = { readonly recipient: string; readonly text: string };

/** What went out from the device under this id, for a receiver that asks for it again; null when it is not known any more. */
export async function readSentText(
  database: Database,
  deviceId: DeviceId,
  networkMessageId: string,
): Promise<SentText | null> {
  const { rows } = await database.pool.query<SentText>({
    name: 'read-sent-text',
    text: knownAs('$2', { columns: 'm.recipient, m.body AS text', deviceId: '$1' }),
    values: [deviceId, networkMessageId],
  });
  return rows[0] ?? null;
}
