/** What the tests of new contacts share: a device that notes whom it knows, and a lane that is drained. */
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

  /** Claims what is due, one after the other, each sent at once and noted as the worker does. */
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

  /** As if so much time had passed for the device and whom it knows. */
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
