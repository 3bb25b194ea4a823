export const messagePriorities = ['otp', 'normal', 'bulk'] as const;
export type MessagePriority = (typeof messagePriorities)[number];
/** The stored form of a priority. Workers claim the smallest rank first. */
export const priorityRanks = { otp: 0, normal: 1, bulk: 2 } as const satisfies Record<MessagePriority, number>;
