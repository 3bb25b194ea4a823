/** What the tests of new contacts share: a device that notes whom it knows, and a lane that is drained. */
import type { MessageId } from '@kurir/contracts';
import type { Holder } from '../claim-message.js';
import { createContactWriter } from '../device-contacts.js';
import { changeDevice } from '../device-settings.js';
import { readMessage } from '../read-messages.js';
import { moveMessages } from '../write-status.js';
import { type Bench, sealer, type Tenant, type TestInput } from './bench.js';

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

export function newContactsOn(bench: () => Bench) {
  async function note(holder: Holder, direction: 'wrote' | 'heard', ...recipients: string[]): Promise<void> {
    const contacts = createContactWriter(bench().database);
    await Promise.all(
      recipients.map((recipient) => contacts.submit({ deviceId: holder.deviceId, recipient, direction })),
    );
  }

  async function accept(tenant: Tenant, ...recipients: string[]): Promise<MessageId[]> {
    const inputs = recipients.map((recipient): TestInput => ({ recipient, text: recipient }));
    return (await bench().accept(tenant, inputs)).map((message) => message.messageId);
  }

  /** Claims what is due, one after the other, each sent at once and noted as the worker does. */
  async function drain({ holder }: Tenant): Promise<string[]> {
    const recipients: string[] = [];
    for (;;) {
      const claim = await bench().claim(holder);
      if (claim.kind !== 'claimed') return recipients;
      const { id, recipient } = claim.message;
      recipients.push(recipient);
      await note(holder, 'wrote', recipient);
      await moveMessages(bench().database.pool, [{ id, to: 'sent' }]);
    }
  }

  async function limit({ accountId, deviceId }: Tenant, newContactsPerDay: number): Promise<void> {
    await changeDevice(bench().database, sealer, accountId, deviceId, { newContactsPerDay });
  }

  async function shown({ accountId }: Tenant, id: MessageId | undefined) {
    const found = await readMessage(bench().database, accountId, id ?? 'msg_');
    return { status: found?.message.status, reason: found?.message.reason };
  }

  /** As if so much time had passed for the device and whom it knows. */
  async function pass({ deviceId }: Tenant, hours: number): Promise<void> {
    await bench().query(
      `UPDATE devices SET new_contacts_blocked_until = new_contacts_blocked_until - make_interval(hours => $2) WHERE id = $1`,
      [deviceId, hours],
    );
    await bench().query(
      `UPDATE device_contacts SET wrote_at = wrote_at - make_interval(hours => $2), heard_at = heard_at - make_interval(hours => $2)
       WHERE device_id = $1`,
      [deviceId, hours],
    );
  }

  return { note, accept, drain, limit, shown, pass };
}
