/**
 * Moves an account's chats to LIDs while it has companions. Its phone tells them, with the LIDs of the people whom it
 * knows (whatsmeow `message.go`, `storeLIDSyncMessage`).
 */
import type { Account } from '../devices/account.js';
import { writeMigration, writePhoneMessage } from '../wire/phone-protobuf.js';
import { sayTo } from '../writing/phone-voice.js';
import type { Switchboard } from '../switchboard/switchboard.js';

export async function migrate({ accounts }: Switchboard, account: Account): Promise<void> {
  account.lidMigrated = true;
  const known = accounts.all().filter(({ number }) => account.contacts.has(number));
  const payload = writeMigration({
    pnToLidMappings: known.map(({ number, lid }) => ({ pn: Number(number), assignedLid: Number(lid) })),
    chatDbMigrationTimestamp: Math.floor(Date.now() / 1000),
  });
  const message = writePhoneMessage({
    type: 'migration',
    lidMigrationMappingSyncMessage: { encodedMappingPayload: payload },
  });
  for (const companion of account.devices.values()) if (companion.id !== 0) await sayTo(companion, message);
}
