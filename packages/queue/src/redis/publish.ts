import type { QueueConnection } from './connect.js';
import { isCluster } from './open-redis.js';

/** The reply to PUBSUB NUMSUB for one channel: its name and its listeners. */
const countOf = (reply: unknown): number => Number(Array.isArray(reply) ? reply[1] : 0);

/**
 * Publishes if somebody listens, and returns whether. A node of a Cluster counts only its own listeners, but passes the
 * text on to those of all nodes. So all nodes are asked first.
 */
export async function publishIfHeard({ commands }: QueueConnection, channel: string, text: string): Promise<boolean> {
  if (!isCluster(commands)) return (await commands.publish(channel, text)) > 0;
  const counts = await Promise.allSettled(commands.nodes().map((node) => node.pubsub('NUMSUB', channel)));
  if (!counts.some((count) => count.status === 'fulfilled' && countOf(count.value) > 0)) return false;
  await commands.publish(channel, text);
  return true;
}
