/** All advisory locks that we take. They share one space of numbers in a database. */
export const advisoryLocks = {
  /**
   * The lock of Prisma's schema engine (`ADVISORY_LOCK`), so that `prisma migrate` and our migrations wait for each
   * other.
   */
  migrate: 72_707_369,
  wakeMessages: 4_711_001,
  partitions: 4_711_002,
  masterKeys: 4_711_003,
} as const;
