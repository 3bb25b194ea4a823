export { connectQueue, type QueueConnection, type QueueOptions } from './connect.js';
export { createEnqueuer, type Enqueuer } from './enqueue.js';
export { createLane, type Lane, type LaneOptions, type Turn } from './lane.js';
export type { LaneJob } from './lane-job.js';
export { countUpTo, fillLanes, type LaneToFill, type ReadDueJobs } from './fill-lanes.js';
export {
  callPresence,
  type PresenceAnswer,
  type PresenceCall,
  type PresenceHandler,
  servePresence,
} from './presence.js';
export { createRateLimit, type RateLimit, type RateLimitState } from './rate-limit.js';
export { findRedisFaults, pingRedis } from './redis-health.js';
export { serveWakeUps, wakeHolder } from './wake-up.js';
