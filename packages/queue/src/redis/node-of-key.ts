import { Command } from 'ioredis';
import { type Client, isCluster } from './open-redis.js';

/** Returns a name for the node that holds a key. Outside a Cluster all keys are on one. */
export function nodeOfKey(client: Client, key: string): string {
  if (!isCluster(client)) return '';
  const slot = new Command('get', [key]).getSlot();
  return (slot === null ? undefined : client.slots[slot]?.[0]) ?? '';
}
