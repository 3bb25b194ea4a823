/**
 * Counts guesses with a delay that doubles, for all api processes together. Each guess counts before it is checked, so
 * parallel guesses cannot pass the limit. A refused guess does not count. While Redis is away, each process allows the
 * free guesses once in the longest delay.
 */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { QueueConnection } from '../redis/connect.js';
import type { Attempt } from './attempt-limits.js';

/** The first delay begins with the last free guess. */
export type DelayRule = { readonly free: number; readonly firstSeconds: number; readonly maxSeconds: number };
export type GuessCount = { readonly name: string; readonly rule: DelayRule };

export type GrowingDelays = {
  /** Counts one guess under every count of the key. If one of them has to wait, counts none. Never rejects. */
  take(key: string, counts: readonly GuessCount[]): Promise<Attempt>;
  /** Resets these counts of the key, or all without `counts`. Never rejects. */
  forget(key: string, counts?: readonly GuessCount[]): Promise<void>;
};

const keptSeconds = 24 * 3_600;

/** All counts of a key stand in one hash, so that one command forgets them. Returns the milliseconds to wait. */
const script = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local wait = 0
for i = 2, #ARGV, 4 do
  local later = tonumber(redis.call('HGET', KEYS[1], 'until ' .. ARGV[i]) or '0')
  wait = math.max(wait, later - now)
end
if wait > 0 then return wait end
for i = 2, #ARGV, 4 do
  local over = redis.call('HINCRBY', KEYS[1], 'tried ' .. ARGV[i], 1) - ARGV[i + 1]
  if over >= 0 then
    local delay = math.min(ARGV[i + 2] * 2 ^ over, ARGV[i + 3])
    redis.call('HSET', KEYS[1], 'until ' .. ARGV[i], string.format('%d', now + delay * 1000))
  end
end
redis.call('EXPIRE', KEYS[1], ARGV[1])
return 0
`;

const passed: Attempt = { allowed: true, retryAfterSeconds: 0 };
const refused = (waitMs: number): Attempt => ({
  allowed: false,
  retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
});

function createOwnCounts() {
  const limiters = new Map<string, RateLimiterMemory>();
  const limiterOf = ({ free, maxSeconds }: DelayRule) => {
    const name = `${free}:${maxSeconds}`;
    const present = limiters.get(name) ?? new RateLimiterMemory({ points: free, duration: maxSeconds });
    limiters.set(name, present);
    return present;
  };
  return {
    async take(key: string, counts: readonly GuessCount[]): Promise<Attempt> {
      try {
        for (const { name, rule } of counts) await limiterOf(rule).consume(`${key} ${name}`);
        return passed;
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return refused(refusal.msBeforeNext);
        throw refusal;
      }
    },
    async forget(key: string, counts: readonly GuessCount[]): Promise<void> {
      for (const { name, rule } of counts) await limiterOf(rule).delete(`${key} ${name}`);
    },
  };
}

export function createGrowingDelays({ commands, options }: QueueConnection): GrowingDelays {
  const own = createOwnCounts();
  const nameOf = (key: string) => `${options.prefix}:guesses:${key}`;
  return {
    async take(key, counts) {
      const rules = counts.flatMap(({ name, rule }) => [name, rule.free, rule.firstSeconds, rule.maxSeconds]);
      try {
        const waitMs = Number(await commands.eval(script, 1, nameOf(key), keptSeconds, ...rules));
        return waitMs > 0 ? refused(waitMs) : passed;
      } catch {
        // Redis is away, and the connection reports it.
        return own.take(key, counts);
      }
    },
    async forget(key, counts) {
      const fields = counts?.flatMap(({ name }) => [`tried ${name}`, `until ${name}`]);
      await own.forget(key, counts ?? []);
      // If Redis is away, the counts stay for a day at most.
      await (fields === undefined ? commands.del(nameOf(key)) : commands.hdel(nameOf(key), ...fields)).catch(() => 0);
    },
  };
}
