/** People who write to a device, as its worker stores it. */
import type { ConversationId, DeviceId, InboundReport } from '@kurir/contracts';
import { createAccountKeys, createInboundWriter, createSealer, type Database } from '@kurir/database';
import { masterKey } from './test-api.js';

let written = 0;

/** A person with a number, or one who hides it. */
export const personOf = (userId: string, phone: string | null) => ({ userId, phone, username: null, name: 'Budi' });

export const textFrom = (person: ReturnType<typeof personOf>, text: string): InboundReport & { kind: 'message' } => ({
  kind: 'message',
  networkMessageId: `IN${(written += 1)}`,
  chat: { id: person.userId, type: 'direct' },
  person,
  content: { type: 'text', text },
  replyTo: null,
  forwarded: false,
  offline: false,
  sentAt: new Date(),
});

export async function storeReport(database: Database, deviceId: DeviceId, report: InboundReport): Promise<void> {
  const writer = createInboundWriter(database, createAccountKeys(database, createSealer(masterKey)));
  await writer.submit({ deviceId, report, notesContact: true });
}

/** A person writes to the device. Returns the conversation. */
export async function writeTo(
  database: Database,
  deviceId: DeviceId,
  text: string,
  person = personOf('lid:1', '6281200000111'),
): Promise<ConversationId> {
  await storeReport(database, deviceId, textFrom(person, text));
  const { rows } = await database.pool.query<{ id: ConversationId }>(
    'SELECT coalesce(alias_of, id) AS id FROM conversations WHERE device_id = $1 AND chat_id = $2',
    [deviceId, person.userId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('no conversation was made');
  return row.id;
}
