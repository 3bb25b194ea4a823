export { type Attempt, type AttemptLimits, type AttemptRule, createAttemptLimits } from './limits/attempt-limits.js';
export { createGrowingDelays, type DelayRule, type GrowingDelays, type GuessCount } from './limits/growing-delays.js';
export { connectQueue, type QueueConnection, type QueueOptions } from './redis/connect.js';
export { createEnqueuer, type Enqueuer } from './lanes/enqueue.js';
export { createLiveSignal, onLiveSignal } from './signals/live-signal.js';
export { createLane, type Lane, type LaneOptions, type TurnEnd } from './lanes/lane.js';
export { fillLanes } from './lanes/fill-lanes.js';
export {
  callPresence,
  type PresenceAnswer,
  type PresenceCall,
  type PresenceHandler,
  servePresence,
} from './signals/presence.js';
export { countTickets } from './lanes/count-tickets.js';
export { createRateCounter, type RateCounter, type RateTally, rateWindowSeconds } from './limits/rate-counter.js';
export { createRateLimit, type RateLimit, type RateLimitState } from './limits/rate-limit.js';
export type { RedisAddress } from './redis/redis-address.js';
export {
  findRedisFaults,
  readRedisMemory,
  readRedisState,
  type RedisMemory,
  type RedisState,
} from './redis/redis-health.js';
export { findWrongRedis } from './redis/wrong-redis.js';
export type { Ticket } from './lanes/ticket.js';
export { serveWakeUps, wakeOwner } from './signals/wake-up.js';
