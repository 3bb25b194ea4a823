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
  deviceDays: 4_711_005,
  /** The first key of two; the second one is the account. */
  marketing: 4_711_004,
  requestPartitions: 4_711_006,
} as const;
