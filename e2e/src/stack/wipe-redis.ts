import { Redis } from 'ioredis';
import type { Stack } from './stack.js';

async function keysOf(redis: Redis, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of redis.scanStream({ match: `*${prefix}*`, count: 1_000 })) keys.push(...(page as string[]));
  return keys;
}

/** Everything that the stack keeps in Redis is gone, as after a power cut; other test files keep theirs. */
export async function wipeRedis(stack: Stack): Promise<void> {
  const redis = new Redis(stack.redis.url);
  try {
    const keys = await keysOf(redis, stack.queuePrefix);
    if (keys.length > 0) await redis.unlink(...keys);
  } finally {
    redis.disconnect();
  }
}

/** Every key with its value as text, for tests that look for what must not be there. */
export async function dumpRedis(stack: Stack): Promise<string> {
  const redis = new Redis(stack.redis.url);
  try {
    const keys = await keysOf(redis, stack.queuePrefix);
    const values = await Promise.all(
      keys.map(async (key) => `${key} ${(await redis.dumpBuffer(key))?.toString('latin1')}`),
    );
    return values.join('\n');
  } finally {
    redis.disconnect();
  }
}
