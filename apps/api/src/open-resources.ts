/** Opens and closes all resources of the api. Opening contacts no server, so Postgres and Redis may start later. */
import { redisAddress, type SettingsOf } from '@kurir/config';
import {
  createAccountKeys,
  createAcceptor,
  createBulkAcceptor,
  createSealer,
  type Database,
  keepMasterKeyAdmitted,
  keepPlansFresh,
  noteSecretsUsed,
  type DatabaseOptions,
  openDatabase,
  readApiKey,
  storeRequests,
} from '@kurir/database';
import type { Logger } from '@kurir/logging';
import {
  type AttemptLimits,
  type GrowingDelays,
  connectQueue,
  type QueueConnection,
  createAttemptLimits,
  createGrowingDelays,
  createEnqueuer,
  createLiveSignal,
  createRateCounter,
  createRateLimit,
} from '@kurir/queue';
import { createAddresses } from './http/addresses.js';
import { BodyBudget } from './http/body/body-budget.js';
import type { Api } from './operations/api.js';
import { type ApiKeyCache, createApiKeyCache } from './signatures/api-key-cache.js';
import { builtPages } from './pages/built-pages.js';
import { accountShare, createRateCounterWithTimeout } from './http/limit-rate.js';
import { createLive } from './events/live.js';
import { deriveCallbackSecret } from './payments/callback-secret.js';
import { createMidtransApi } from './payments/midtrans/midtrans-api.js';
import { createMidtransProvider } from './payments/midtrans/midtrans-provider.js';
import { createSandboxProvider } from './payments/sandbox-provider.js';
import { createSignIn, type SignIn } from './sign-in/create-sign-in.js';
import { createKeptMailer, createSmtpMailer, noMailer } from './mail/mailer.js';
import { deriveSignInSecret, deriveSignInSecrets } from './sign-in/sign-in-secret.js';
import { findUnnamedSecret } from './sign-in/two-factor-boxes.js';
import { createRequestLog } from './requests/request-log.js';
import { createUsedSecrets } from './signatures/used-secrets.js';

const noteSecretsEveryMs = 5_000;
const storeRequestsEveryMs = 1_000;

export type ApiSettings = SettingsOf<'api'>;

export type OpenApi = { readonly api: Api; close(): Promise<void> };

function openQueue(settings: ApiSettings, logger: Logger) {
  const queue = connectQueue({
    ...redisAddress(settings),
    prefix: settings.KURIR_QUEUE_PREFIX,
    internalKeys: settings.KURIR_INTERNAL_KEY,
    onError: (err) => logger.warn({ err }, 'redis connection failed'),
  });
  const enqueuer = createEnqueuer(queue, {
    onDropped: (count, err) => logger.warn({ err, count }, 'tickets not enqueued, the sweep will bring them'),
  });
  return { queue, enqueuer };
}

const withoutSlash = (url: string) => url.replace(/\/+$/, '');

function openMidtrans(settings: ApiSettings) {
  const { KURIR_MIDTRANS_SERVER_KEY: serverKey } = settings;
  if (serverKey === undefined) return null;
  const snapUrl = withoutSlash(settings.KURIR_MIDTRANS_SNAP_URL);
  const apiUrl = withoutSlash(settings.KURIR_MIDTRANS_API_URL);
  return { serverKey, midtrans: createMidtransApi({ serverKey, snapUrl, apiUrl }) };
}

function openPayments(settings: ApiSettings) {
  const addresses = createAddresses({ host: settings.KURIR_HOST, publicUrl: settings.KURIR_PUBLIC_URL });
  const seller = {
    name: settings.KURIR_SELLER_NAME ?? null,
    taxNumber: settings.KURIR_SELLER_TAX_NUMBER ?? null,
    address: settings.KURIR_SELLER_ADDRESS ?? null,
  };
  const callbackSecret = deriveCallbackSecret(settings.KURIR_MASTER_KEY[0]);
  const provider = createSandboxProvider(addresses, callbackSecret);
  const sandbox = { provider, callbackSecret };
  const midtrans = openMidtrans(settings);
  if (midtrans !== null)
    return { addresses, seller, sandbox, midtrans, payments: createMidtransProvider(midtrans.midtrans, addresses) };
  const isOpen = settings.KURIR_SANDBOX_PAYMENTS ?? settings.NODE_ENV !== 'production';
  return { addresses, seller, sandbox, midtrans, payments: isOpen ? provider : null };
}

/** In production nobody can sign up without a mail server, because no mail would reach them. */
function openSignIn(
  settings: ApiSettings,
  given: {
    readonly database: Database;
    readonly logger: Logger;
    readonly attempts: AttemptLimits;
    readonly delays: GrowingDelays;
    publicUrl(): string;
  },
) {
  const { database, logger, attempts, delays } = given;
  const { KURIR_SMTP_URL: smtpUrl, KURIR_MAIL_FROM: from } = settings;
  const isProduction = settings.NODE_ENV === 'production';
  const withoutServer = isProduction ? noMailer : createKeptMailer(database);
  const mailer = smtpUrl === undefined ? withoutServer : createSmtpMailer(smtpUrl, from);
  const signUp = smtpUrl !== undefined || !isProduction;
  const secrets = deriveSignInSecrets(settings.KURIR_MASTER_KEY);
  let unnamedSecret = deriveSignInSecret(settings.KURIR_MASTER_KEY[0]);
  let created: SignIn | null = null;
  const signIn = () =>
    (created ??= createSignIn({
      database,
      mailer,
      limits: attempts,
      delays,
      logger,
      secrets,
      unnamedSecret,
      publicUrl: given.publicUrl(),
      signUp,
      confirmAddress: smtpUrl !== undefined,
    }));
  const prepareSignIn = async () => {
    unnamedSecret = (await findUnnamedSecret(database, secrets)) ?? unnamedSecret;
  };
  const mailbox = smtpUrl === undefined && !isProduction;
  return { signIn, signInSecrets: secrets, prepareSignIn, mailer, signUp, mailbox };
}

function openRateLimits(queue: QueueConnection, keyPerMinute: number) {
  const perMinute = (requestsPerMinute: number) =>
    createRateLimit(createRateCounterWithTimeout(createRateCounter(queue, { requestsPerMinute })));
  return { rateLimit: perMinute(keyPerMinute), accountRateLimit: perMinute(keyPerMinute * accountShare) };
}

const openRequestLog = (database: Database, logger: Logger, keys: ApiKeyCache) =>
  createRequestLog({
    everyMs: storeRequestsEveryMs,
    write: (requests) => storeRequests(database, requests),
    readKey: (keyId) => keys.read(keyId),
    onLost: (lost, err) => logger.warn({ err, lost }, 'requests not recorded'),
    now: () => Date.now(),
  });

/** The standby for reports and exports, if one is set. */
function replicaOf(settings: ApiSettings, logger: Logger): Pick<DatabaseOptions, 'replica'> {
  const { DATABASE_REPLICA_URL: url, KURIR_DATABASE_REPLICA_MAX_LAG_SECONDS: maxLagSeconds } = settings;
  if (url === undefined) return {};
  const onChange: NonNullable<DatabaseOptions['replica']>['onChange'] = (state, err) =>
    state === 'fresh'
      ? logger.info('reports read from the replica')
      : logger.warn({ state, err }, 'reports do not read from the replica');
  return { replica: { url, maxLagMs: maxLagSeconds * 1_000, onChange } };
}

const openDatabaseOf = (settings: ApiSettings, logger: Logger) =>
  openDatabase({
    url: settings.DATABASE_URL,
    poolSize: settings.KURIR_DATABASE_CONNECTIONS,
    pooler: settings.KURIR_DATABASE_POOLER,
    application: 'kurir api',
    ...replicaOf(settings, logger),
    onError: (err) => logger.warn({ err }, 'database connection failed'),
  });

export function openResources(settings: ApiSettings, logger: Logger): OpenApi {
  const database = openDatabaseOf(settings, logger);
  const plans = keepPlansFresh(database, { onError: (err) => logger.warn({ err }, 'sizes of tables not read') });
  const { queue, enqueuer } = openQueue(settings, logger);
  const sealer = createSealer(...settings.KURIR_MASTER_KEY);
  const stopAdmitting = keepMasterKeyAdmitted(database, sealer, {
    onFault: (fault) => logger.error({ fault }, 'the master key is not right'),
    onError: (err) => logger.warn({ err }, 'use of the master key not noted'),
  });
  const usedSecrets = createUsedSecrets({
    everyMs: noteSecretsEveryMs,
    write: (used) => noteSecretsUsed(database, used),
    onError: (err) => logger.warn({ err }, 'use of secrets not noted'),
  });
  const keys = createApiKeyCache((keyId) => readApiKey(database, sealer, keyId));
  const requestLog = openRequestLog(database, logger, keys);
  const attempts = createAttemptLimits(queue);
  const payments = openPayments(settings);
  const { publicUrl } = payments.addresses;
  const accountKeys = createAccountKeys(database, sealer);
  const acceptor = createAcceptor(database, accountKeys);
  const api: Api = {
    database,
    sealer,
    accountKeys,
    queue,
    enqueuer,
    usedSecrets,
    acceptor,
    bulkAcceptor: createBulkAcceptor(database, accountKeys, acceptor),
    bodies: new BodyBudget(),
    ...openRateLimits(queue, settings.KURIR_RATE_LIMIT_PER_MINUTE),
    keys,
    requestLog,
    ...payments,
    ...openSignIn(settings, { database, logger, attempts, delays: createGrowingDelays(queue), publicUrl }),
    attempts,
    live: createLive({ database, queue, logger, now: () => Date.now() }),
    signalLivePages: createLiveSignal(queue),
    builtPages,
    eventDays: settings.KURIR_EVENTS_RETENTION_DAYS,
    trialMessages: settings.KURIR_TRIAL_MESSAGES,
    simulatorUrl: settings.KURIR_SIMULATOR_URL === undefined ? null : withoutSlash(settings.KURIR_SIMULATOR_URL),
    privateProxies: settings.KURIR_PROXY_PRIVATE_ADDRESSES,
    webhookAddresses: settings.KURIR_WEBHOOK_PRIVATE_ADDRESSES,
    logger,
    trustedProxies: settings.KURIR_TRUST_PROXY,
    instance: settings.KURIR_INSTANCE ?? null,
    draining: { begun: false },
    now: () => Date.now(),
  };
  return {
    api,
    async close() {
      await usedSecrets.close();
      await requestLog.close();
      await enqueuer.close();
      await queue.close();
      plans.stop();
      stopAdmitting();
      await database.close();
    },
  };
}
