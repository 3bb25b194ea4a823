/** Reads and clears the lanes in Redis below one prefix, without the queue package. */
import { testRedisUrl } from '@kurir/testing';
import { Redis } from 'ioredis';
import type { Setting } from '../processes/setting.js';

export type LaneMessage = { readonly deviceId: string; readonly priority: number };

export type Lanes = {
  /** The waiting and active jobs in the lanes of these devices. */
  countJobs(deviceIds: readonly string[]): Promise<number>;
  /** The messages that have no ticket of their priority in their lane. */
  withoutTicket(messages: readonly LaneMessage[]): Promise<LaneMessage[]>;
  /** Removes all jobs and lanes. Kurir treats that as a wiped Redis. */
  clear(): Promise<void>;
};

/** BullMQ's score is the priority times 2^32 plus the position. BullMQ's priority of a one-time code's ticket is 1. */
const scoresOf = (priority: number) => [String((priority + 1) * 2 ** 32), `(${(priority + 2) * 2 ** 32}`];

/** BullMQ keeps jobs with a priority in one set, and jobs without one in two lists. */
const commandsFor = (lane: string) => [
  ['zcard', `${lane}:prioritized`],
  ['llen', `${lane}:wait`],
  ['llen', `${lane}:active`],
];

async function removeAll(redis: Redis, pattern: string): Promise<void> {
  for await (const keys of redis.scanStream({ match: pattern, count: 1_000 })) {
    // SCAN returns the names of keys.
    if ((keys as string[]).length > 0) await redis.unlink(keys as string[]);
  }
}

export function openLanes({ cleanup }: Setting, queuePrefix: string): Lanes {
  const redis = new Redis(testRedisUrl());
  const clear = () => removeAll(redis, `{${queuePrefix}:*`);
  cleanup.add(async () => redis.disconnect());
  cleanup.add(clear);
  return {
    clear,
    async withoutTicket(messages) {
      const commands = messages.map(({ deviceId, priority }) => [
        'zcount',
        `{${queuePrefix}:${deviceId}}:lane:prioritized`,
        ...scoresOf(priority),
      ]);
      const answers = (await redis.pipeline(commands).exec()) ?? [];
      return messages.filter((_, i) => Number(answers[i]?.[1] ?? 0) === 0);
    },
    async countJobs(deviceIds) {
      const commands = deviceIds.flatMap((deviceId) => commandsFor(`{${queuePrefix}:${deviceId}}:lane`));
      const answers = (await redis.pipeline(commands).exec()) ?? [];
      return answers.reduce((sum, [, count]) => sum + Number(count), 0);
    },
  };
}
