import type { DataOf } from '@kurir/contracts';
import type { MessageView } from '@kurir/database';

/** Shows a message to its account, with everything except the text. */
export function showJob(message: MessageView): DataOf<'listMessages'>['messages'][number] {
  return {
    job_id: message.id,
    status: message.status,
    reason: message.reason,
    network_message_id: message.networkMessageId,
    device_id: message.deviceId,
    phone_destination: message.recipient,
    priority: message.priority,
    category: message.category,
    client_ref: message.clientRef,
    broadcast_id: message.broadcastId,
    send_at: message.sendAt?.toISOString() ?? null,
    expires_at: message.expiresAt?.toISOString() ?? null,
    created_at: message.createdAt.toISOString(),
    waiting:
      message.waiting === null
        ? null
        : { reason: message.waiting.reason, until: message.waiting.until?.toISOString() ?? null },
  };
}
