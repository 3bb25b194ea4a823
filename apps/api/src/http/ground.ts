/** The resources that every part of the api uses. */
import type { Database } from '@kurir/database';
import type { Logger } from '@kurir/logging';
import type { QueueConnection } from '@kurir/queue';
import type { Addresses } from './addresses.js';
import type { BodyBudget } from './body/body-budget.js';
import type { RateLimits } from './limit-rate.js';

export type Ground = RateLimits & {
  readonly database: Database;
  readonly queue: QueueConnection;
  readonly logger: Logger;
  readonly addresses: Addresses;
  /** The number of proxies in front of the api whose X-Forwarded-For is trusted. */
  readonly trustedProxies: number;
  /** The readiness check returns it as a header. Null: the process has no name. */
  readonly instance: string | null;
  /** `begun` once the process was told to stop. It still serves, but asks load balancers to send requests elsewhere. */
  readonly draining: { begun: boolean };
  /** The memory for bodies of requests that arrive at the same time. */
  readonly bodies: BodyBudget;
  /** Unix milliseconds of this process. */
  readonly now: () => number;
};
