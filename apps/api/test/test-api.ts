/** Starts an api with its own server and its own database, for one test file. */
import { createSecretKey } from 'node:crypto';
import type { Database } from '@kurir/database';
import { createLogger, type Logger } from '@kurir/logging';
import type { QueueConnection } from '@kurir/queue';
import { createTestDatabase, testRedisUrl, uniqueQueuePrefix } from '@kurir/testing';
import type { Api } from '../src/operations/api.js';
import { createHttpServer, listen, stopListening } from '../src/server/listen.js';
import { type ApiSettings, openResources } from '../src/open-resources.js';

export type LogLine = { readonly level: string; readonly fields: Record<string, unknown>; readonly text: string };

export type TestApi = {
  readonly url: string;
  readonly settings: ApiSettings;
  readonly api: Api;
  readonly database: Database;
  readonly queue: QueueConnection;
  readonly logs: readonly LogLine[];
  close(): Promise<void>;
};

export const masterKey = createSecretKey(Buffer.alloc(32, 'm'));

export function testSettings(overrides: Partial<ApiSettings> & Pick<ApiSettings, 'DATABASE_URL'>): ApiSettings {
  return {
    NODE_ENV: 'test',
    KURIR_DATABASE_CONNECTIONS: 12,
    DATABASE_REPLICA_URL: undefined,
    KURIR_DATABASE_REPLICA_MAX_LAG_SECONDS: 10,
    KURIR_DATABASE_POOLER: 'none',
    REDIS_URL: testRedisUrl(),
    KURIR_REDIS_CLUSTER: false,
    KURIR_REDIS_SENTINELS: undefined,
    KURIR_REDIS_TLS_CA: undefined,
    KURIR_REDIS_TLS_CERT: undefined,
    KURIR_REDIS_TLS_KEY: undefined,
    KURIR_MASTER_KEY: [masterKey],
    KURIR_INTERNAL_KEY: [createSecretKey(Buffer.alloc(32, 'i'))],
    PORT: 0,
    KURIR_HOST: '127.0.0.1',
    KURIR_PUBLIC_URL: undefined,
    KURIR_SANDBOX_PAYMENTS: undefined,
    KURIR_MIDTRANS_SERVER_KEY: undefined,
    KURIR_MIDTRANS_SNAP_URL: 'http://127.0.0.1:9',
    KURIR_MIDTRANS_API_URL: 'http://127.0.0.1:9',
    KURIR_TRIAL_MESSAGES: 100,
    KURIR_EVENTS_RETENTION_DAYS: 30,
    KURIR_SMTP_URL: undefined,
    KURIR_MAIL_FROM: 'kurir@example.com',
    KURIR_SIMULATOR_URL: 'http://127.0.0.1:4010',
    KURIR_PROXY_PRIVATE_ADDRESSES: 'refuse',
    KURIR_WEBHOOK_PRIVATE_ADDRESSES: 'refuse',
    KURIR_TRUST_PROXY: 0,
    KURIR_RATE_LIMIT_PER_MINUTE: 1_000_000,
    KURIR_QUEUE_PREFIX: uniqueQueuePrefix(),
    KURIR_INSTANCE: undefined,
    KURIR_METRICS_PORT: undefined,
    KURIR_METRICS_TOKEN: undefined,
    OTEL_EXPORTER_OTLP_ENDPOINT: undefined,
    OTEL_EXPORTER_OTLP_HEADERS: undefined,
    OTEL_TRACES_SAMPLER_ARG: 0.01,
    KURIR_DRAIN_SECONDS: 0,
    KURIR_SELLER_NAME: undefined,
    KURIR_SELLER_TAX_NUMBER: undefined,
    KURIR_SELLER_ADDRESS: undefined,
    KURIR_LOG_LEVEL: 'silent',
    KURIR_LOG_PRETTY: false,
    ...overrides,
  };
}

const levels: Readonly<Record<number, string>> = { 20: 'debug', 30: 'info', 40: 'warn', 50: 'error' };

function recordingLogger(logs: LogLine[]): Logger {
  const write = (line: string) => {
    const { level, msg, ...fields } = JSON.parse(line) as { level: number; msg: string };
    logs.push({ level: levels[level] ?? String(level), text: msg, fields });
  };
  return createLogger({ name: 'api', level: 'debug', pretty: false, destination: { write } });
}

/** Starts an api on an existing database. */
export async function startApiOn(settings: ApiSettings, changes: Partial<Api> = {}): Promise<TestApi> {
  const logs: LogLine[] = [];
  const { api: opened, close } = openResources(settings, recordingLogger(logs));
  const api = { ...opened, ...changes };
  const server = createHttpServer(api);
  const port = await listen(server, { port: 0, host: '127.0.0.1' });
  api.addresses.listensOn(port);
  return {
    url: `http://127.0.0.1:${port}`,
    settings,
    api,
    database: api.database,
    queue: api.queue,
    logs,
    async close() {
      api.live.close();
      await stopListening(server, 1_000);
      await close();
    },
  };
}

export async function startTestApi(overrides: Partial<ApiSettings> = {}): Promise<TestApi> {
  const database = await createTestDatabase();
  const started = await startApiOn(testSettings({ DATABASE_URL: database.url, ...overrides }));
  return {
    ...started,
    async close() {
      await started.close();
      await database.drop();
    },
  };
}
