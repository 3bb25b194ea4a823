import type { MessageId, MessageStatus } from '@kurir/contracts';
import type { DatabaseFixture, Tenant } from './database-fixture.js';

/** A message of the tenant in any state, in its own lane. */
export async function messageIn(
  fixture: DatabaseFixture,
  tenant: Tenant,
  status: MessageStatus,
  { unanswered = 0, attempts = 1 }: { unanswered?: number; attempts?: number } = {},
): Promise<MessageId> {
  const { deviceId } = await fixture.device(tenant.accountId);
  const [message] = await fixture.accept({ ...tenant, deviceId });
  if (message === undefined) throw new Error('nothing was accepted');
  await fixture.query('UPDATE messages SET status = $2, attempts = $3, unanswered = $4, epoch = 1 WHERE id = $1', [
    message.messageId,
    status,
    attempts,
    unanswered,
  ]);
  return message.messageId;
}
