import { Redis } from 'ioredis';
import type { Stack } from './stack.js';

async function keysOf(redis: Redis, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of redis.scanStream({ match: `*${prefix}*`, count: 1_000 })) keys.push(...(page as string[]));
  return keys;
}

/** Removes the stack's keys from Redis, like a power cut. The keys of other test files stay. */
export async function wipeRedis(stack: Stack): Promise<void> {
  const redis = new Redis(stack.redis.url);
  try {
    const keys = await keysOf(redis, stack.queuePrefix);
    if (keys.length > 0) await redis.unlink(...keys);
  } finally {
    redis.disconnect();
  }
}

/** Returns every key and its value as text, so that a test can search for secrets. */
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
