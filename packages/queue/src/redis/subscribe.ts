import type { QueueConnection } from './connect.js';

/** Listens to a channel until the connection is closed. After an outage the subscription is restored. Rejects if Redis refuses. */
export async function subscribe(
  connection: QueueConnection,
  channel: string,
  onMessage: (text: string) => void,
): Promise<void> {
  const redis = connection.openForSubscription();
  redis.on('message', (_channel, text: string) => onMessage(text));
  try {
    await redis.subscribe(channel);
  } catch (error) {
    // Redis refused, and its connection would be made again and again.
    redis.disconnect();
    throw error;
  }
}
