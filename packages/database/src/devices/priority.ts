/** Priorities in SQL: over a column or parameter with a message's rank. */
import { priorityRanks } from '@kurir/contracts';

/** A one-time code, which passes the pace and what is kept for codes. */
export const isCode = (rank: string): string => `${rank} = ${priorityRanks.otp}`;

export const isNotCode = (rank: string): string => `${rank} > ${priorityRanks.otp}`;
