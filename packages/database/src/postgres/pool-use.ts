import type { Database } from './connect.js';

/** How many connections for messages this process has, and how many statements wait for one. */
export type PoolUse = { readonly busy: number; readonly idle: number; readonly waiting: number };

export const readPoolUse = ({ pool }: Database): PoolUse => ({
  busy: pool.totalCount - pool.idleCount,
  idle: pool.idleCount,
  waiting: pool.waitingCount,
});
