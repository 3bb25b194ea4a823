/** The purposes of messages. People can refuse those of `marketing` alone. */
import type { MessagePriority } from './message-priorities.js';

export const messageCategories = ['authentication', 'transactional', 'marketing'] as const;
export type MessageCategory = (typeof messageCategories)[number];

/** The stored form of a category. */
export const categoryRanks = {
  authentication: 0,
  transactional: 1,
  marketing: 2,
} as const satisfies Record<MessageCategory, number>;

export const defaultCategory = (priority: MessagePriority): MessageCategory =>
  priority === 'otp' ? 'authentication' : 'transactional';
