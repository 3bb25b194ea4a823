import type { QueueConnection } from './connect.js';

export const presenceChannel = (connection: QueueConnection, worker: string) =>
  `${connection.options.prefix}:presence:${worker}`;
export const replyChannel = (connection: QueueConnection, caller: string) =>
  `${connection.options.prefix}:reply:${caller}`;
export const wakeChannel = (connection: QueueConnection) => `${connection.options.prefix}:wake`;
export const liveChannel = (connection: QueueConnection) => `${connection.options.prefix}:live`;
