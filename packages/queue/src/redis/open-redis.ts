/** Opens connections to each of the three kinds of Redis. All of them reconnect by themselves, for ever. */
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { connectToNode } from './node-connection.js';
import { kindOf, readSentinels, readServers, type RedisAddress } from './redis-address.js';
import { reconnectOnSilence } from './reconnect-on-silence.js';

/** Both send the same commands. No command of ours has keys of two slots. */
export type Client = Redis | Cluster;

export const isCluster = (client: Client): client is Cluster => client.isCluster;

export type RedisOpener = {
  /** For commands that fail at once while Redis is away. */
  impatient(): Client;
  /** For lanes. Commands wait for Redis. BullMQ duplicates the connection for the blocking read of each lane. */
  forLanes(): Client;
  /** For one subscription. */
  forSubscription(): Redis;
};

const reconnectDelayMs = (attempt: number) => Math.min(50 * 2 ** attempt, 1_000);
const always = { retryStrategy: reconnectDelayMs, connectTimeout: 3_000 };

const impatient = { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 2_000 };
const patient = { maxRetriesPerRequest: null };

function simpleOpener(open: (settings: RedisOptions) => Redis): RedisOpener {
  const openPatient = () => open(patient);
  return { impatient: () => open(impatient), forLanes: openPatient, forSubscription: openPatient };
}

function openSingle({ urls: [url = ''], tls }: RedisAddress, settings: RedisOptions): Redis {
  const files = url.startsWith('rediss:') ? { tls: { ...tls } } : {};
  return new Redis(url, { ...always, ...files, ...settings });
}

/** A primary that became a replica refuses to write. A new connection asks Sentinel again. */
const isDemoted = ({ message }: Error) => message.startsWith('READONLY');

function openBehindSentinel(address: RedisAddress, settings: RedisOptions): Redis {
  const [server] = readServers(address);
  const sentinels = readSentinels(address);
  const [first] = sentinels;
  if (server === undefined || first === undefined) throw new Error('an address of Redis is missing');
  const { host: name, port: _, ...access } = server;
  return new Redis({
    ...always,
    ...access,
    enableTLSForSentinelMode: server.tls !== undefined,
    name,
    sentinels: sentinels.map(({ host, port }) => ({ host, port })),
    ...(first.username === undefined ? {} : { sentinelUsername: first.username }),
    ...(first.password === undefined ? {} : { sentinelPassword: first.password }),
    ...(first.tls === undefined ? {} : { sentinelTLS: first.tls }),
    sentinelCommandTimeout: 2_000,
    // Always the same, because the text of the error contains it.
    sentinelRetryStrategy: () => 500,
    reconnectOnError: isDemoted,
    ...settings,
  });
}

/** How often a command looks for its node again, a tenth of a second apart, before it fails. */
const redirections = 6;

function clusterOpener(address: RedisAddress): RedisOpener {
  const servers = readServers(address);
  const { username, password, tls } = servers[0] ?? {};
  const access = {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(tls === undefined ? {} : { tls }),
    connectTimeout: always.connectTimeout,
  };
  const startNodes = servers.map(({ host, port }) => ({ host, port }));

  function openCluster(settings: RedisOptions): Cluster {
    const { enableOfflineQueue = true, ...redisOptions } = settings;
    const cluster = new Cluster(startNodes, {
      redisOptions: { ...access, ...redisOptions },
      enableOfflineQueue,
      clusterRetryStrategy: reconnectDelayMs,
      slotsRefreshTimeout: 3_000,
      maxRedirections: redirections,
      // Certificates name hosts, so a name stays a name.
      dnsLookup: (host, callback) => callback(null, host),
    });
    cluster.on('+node', reconnectOnSilence);
    return cluster;
  }

  const openNode = (settings: RedisOptions, cluster?: Cluster) => {
    const known = () => [...startNodes, ...(cluster?.nodes() ?? []).map(({ options }) => nodeOf(options))];
    return connectToNode(known, { ...always, ...access, ...patient, ...settings });
  };

  return {
    impatient: () => openCluster(impatient),
    forLanes() {
      const cluster = openCluster(patient);
      const duplicate = (_nodes?: unknown, { redisOptions = {} }: { redisOptions?: RedisOptions } = {}) =>
        openNode(redisOptions, cluster);
      return Object.assign(cluster, { duplicate });
    },
    forSubscription: () => openNode({}),
  };
}

const nodeOf = ({ host = '', port = 0 }: RedisOptions) => ({ host, port });

export function redisOpener(address: RedisAddress): RedisOpener {
  switch (kindOf(address)) {
    case 'single':
      return simpleOpener((settings) => openSingle(address, settings));
    case 'sentinel':
      return simpleOpener((settings) => openBehindSentinel(address, settings));
    case 'cluster':
      return clusterOpener(address);
  }
}
