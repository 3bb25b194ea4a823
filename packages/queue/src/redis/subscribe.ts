import type { QueueConnection } from './connect.js';

/** Hears a channel until the connection is closed; after an outage the subscription comes back by itself. */
export async function subscribe(
  connection: QueueConnection,
  channel: string,
  onMessage: (text: string) => void,
): Promise<void> {
  const redis = connection.patient();
  redis.on('message', (_channel, text: string) => onMessage(text));
  await redis.subscribe(channel);
}
