export { explainListenFailure } from './listen-failure.js';
export { InvalidSettings, loadSettings } from './load-settings.js';
export { type WorkerRole, workerRoles } from './schemas.js';
export { oldNodeWarning } from './node-support.js';
export { urlsOfServers } from './postgres-url.js';
export { type RedisAddress, redisAddress } from './redis-settings.js';
export type { Program } from './setting.js';
export type { SettingsOf } from './settings.js';
