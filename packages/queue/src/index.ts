export { type Attempt, type AttemptLimits, type AttemptRule, createAttemptLimits } from './attempt-limits.js';
export { connectQueue, type QueueConnection, type QueueOptions } from './connect.js';
export { createEnqueuer, type Enqueuer } from './enqueue.js';
export { createLiveBell, hearLiveBell } from './live-bell.js';
export { createLane, type Lane, type LaneOptions, type TurnEnd } from './lane.js';
export { fillLanes } from './fill-lanes.js';
export {
  callPresence,
  type PresenceAnswer,
  type PresenceCall,
  type PresenceHandler,
  servePresence,
} from './presence.js';
export { countLaneJobs } from './count-lane-jobs.js';
export { createRateCounter, type RateCounter, type RateTally, rateWindowSeconds } from './rate-counter.js';
export { createRateLimit, type RateLimit, type RateLimitState } from './rate-limit.js';
export { findRedisFaults, pingRedis } from './redis-health.js';
export type { Ticket } from './ticket.js';
export { serveWakeUps, wakeHolder } from './wake-up.js';
