import type { QueueConnection } from './connect.js';

/** Listens to a channel until the connection is closed. After an outage the subscription is restored. */
export async function subscribe(
  connection: QueueConnection,
  channel: string,
  onMessage: (text: string) => void,
): Promise<void> {
  const redis = connection.patient();
  redis.on('message', (_channel, text: string) => onMessage(text));
  await redis.subscribe(channel);
}
