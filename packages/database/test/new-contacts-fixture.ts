/** The fixture of the tests of new contacts: notes contacts, sends all due messages and changes limits. */
import type { MessageId } from '@kurir/contracts';
import { createContactWriter } from '../src/devices/device-contacts.js';
import { changeDevice } from '../src/devices/device-settings.js';
import { readMessage } from '../src/messages/read-messages.js';
import { moveMessages } from '../src/messages/write-status.js';
import type { LeaseToken } from '../src/sessions/lease-token.js';
import { type DatabaseFixture, sealer, type Tenant, type TestInput } from './database-fixture.js';

export const numbers = {
  known: '6281100000001',
  writer: '6281100000002',
  stranger: '6281100000003',
  another: '6281100000004',
} as const;

const hour = 3_600_000;

export const inAnHour = () => new Date(Date.now() + hour);
export const blocked = (blockedUntil: Date | null) => ({
  newContacts: { blockedUntil, reason: 'too_many_strangers' },
  newChatQuota: null,
});

export function newContactsOn(fixture: () => DatabaseFixture) {
  async function note(holder: LeaseToken, direction: 'wrote' | 'heard', ...recipients: string[]): Promise<void> {
    const contacts = createContactWriter(fixture().database);
    await Promise.all(
      recipients.map((recipient) => contacts.submit({ deviceId: holder.deviceId, recipient, direction })),
    );
  }

  async function accept(tenant: Tenant, ...recipients: string[]): Promise<MessageId[]> {
    const inputs = recipients.map((recipient): TestInput => ({ recipient, text: recipient }));
    return (await fixture().accept(tenant, inputs)).map((message) => message.messageId);
  }

  /** Claims due messages one after the other. Marks each as sent and notes its contact, like the worker. */
  async function drain({ holder }: Tenant): Promise<string[]> {
    const recipients: string[] = [];
    for (;;) {
      const claim = await fixture().claim(holder);
      if (claim.kind !== 'claimed') return recipients;
      const { id, recipient } = claim.message;
      recipients.push(recipient);
      await note(holder, 'wrote', recipient);
      await moveMessages(fixture().database.pool, [{ id, to: 'sent' }]);
    }
  }

  async function limit({ accountId, deviceId }: Tenant, newContactsPerDay: number): Promise<void> {
    await changeDevice(fixture().database, sealer, accountId, deviceId, { newContactsPerDay });
  }

  async function shown({ accountId }: Tenant, id: MessageId | undefined) {
    const found = await readMessage(fixture().database, accountId, id ?? 'msg_');
    return { status: found?.message.status, reason: found?.message.reason };
  }

  /** Lets this much time pass for the device and its contacts. */
  async function pass({ deviceId }: Tenant, hours: number): Promise<void> {
    await fixture().query(
      `UPDATE devices SET new_contacts_blocked_until = new_contacts_blocked_until - make_interval(hours => $2) WHERE id = $1`,
      [deviceId, hours],
    );
    await fixture().query(
      `UPDATE device_contacts SET wrote_at = wrote_at - make_interval(hours => $2), heard_at = heard_at - make_interval(hours => $2)
       WHERE device_id = $1`,
      [deviceId, hours],
    );
  }

  return { note, accept, drain, limit, shown, pass };
}
