export const messagePriorities = ['otp', 'normal', 'bulk'] as const;
export type MessagePriority = (typeof messagePriorities)[number];
/** As they are stored and claimed: the smaller goes first. */
export const priorityRanks = { otp: 0, normal: 1, bulk: 2 } as const satisfies Record<MessagePriority, number>;
