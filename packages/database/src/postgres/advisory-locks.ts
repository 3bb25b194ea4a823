/** Postgres' advisory locks share one space of numbers in a database: each that we take stands here. */
export const advisoryLocks = {
  /** Prisma's own (schema-engine, `ADVISORY_LOCK`), so that `prisma migrate` and we wait for each other. */
  migrate: 72_707_369,
  wakeMessages: 4_711_001,
  partitions: 4_711_002,
} as const;
