/** Conditions on a message's priority, as SQL over a column or parameter with its rank. */
import { priorityRanks } from '@kurir/contracts';

/** A one-time code. It does not wait for the pace, and a part of each limit is kept for it. */
export const isCode = (rank: string): string => `${rank} = ${priorityRanks.otp}`;

export const isNotCode = (rank: string): string => `${rank} > ${priorityRanks.otp}`;
