export {
  type CommandSurroundings,
  commandsUnder,
  findPostgresPrograms,
  recoveryMoment,
  runCommands,
  whyNoPostgresPrograms,
} from './backup/documented-commands.js';
export type { Bot, BotSettings } from './bots/bot-server.js';
export { startCloudEchoBot } from './bots/cloud-echo-bot.js';
export { startEvolutionEchoBot } from './bots/evolution-echo-bot.js';
export { startWahaEchoBot } from './bots/waha-echo-bot.js';
export { type CertificateFiles, makeCertificateFiles } from './machine/certificate-files.js';
export { freePort } from './machine/free-port.js';
export { nodeFlags } from './node-flags.js';
export { hasPgbouncer, pgbouncerKnowsNames, startPgbouncer, whyNoPgbouncer } from './pgbouncer.js';
export type { Pgbouncer, PgbouncerOptions } from './pgbouncer.js';
export { type RedisCluster, startRedisCluster } from './redis/redis-cluster.js';
export { type RedisSentinel, startRedisSentinel } from './redis/redis-sentinel.js';
export { hasRedisServer, startRedisServer, whyNoRedisServer } from './redis/redis-server.js';
export type { RedisServer } from './redis/redis-server.js';
export { startProgram, stopAllPrograms } from './running-program.js';
export type { ProgramExit, ProgramOptions, RunningProgram } from './running-program.js';
export { openPostgresServers, whyNoPostgresServers } from './postgres-servers.js';
export type { PostgresPair, PostgresServer, PostgresServers } from './postgres-servers.js';
export { startHttpProxy, startSocksProxy } from './proxy-servers.js';
export type { ProxyServer } from './proxy-servers.js';
export { restoreAllProxies, startTcpProxy } from './tcp-proxy.js';
export type { TcpProxy } from './tcp-proxy.js';
export { createTestDatabase, dropDatabase } from './test-database.js';
export type { TestDatabase } from './test-database.js';
export { testRedisUrl, uniqueQueuePrefix } from './test-redis.js';
export { startTraceCollector } from './trace-collector.js';
export type { CollectedSpan, TraceCollector } from './trace-collector.js';
export { waitUntil } from './machine/wait-until.js';
export type { WaitOptions } from './machine/wait-until.js';
