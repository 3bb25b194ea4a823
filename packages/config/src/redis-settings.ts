/** The settings of Redis: where it is, which of the three kinds it is, and what TLS needs. */
import { X509Certificate, createPrivateKey } from 'node:crypto';
import { z } from 'zod';
import { flag, url } from './schemas.js';

const redisUrl = url('redis', 'rediss');

/** A password may contain a comma, so only a comma before the next address separates. */
const split = (text: string): readonly string[] => text.split(/,(?=rediss?:\/\/)/);

const urls = z.string().refine((text) => split(text).every((one) => redisUrl.safeParse(one).success), {
  error: 'must be an address starting with redis:// or rediss://, or several with commas between them',
});

function readable(read: (text: string) => unknown, error: string) {
  return z.string().refine((text) => {
    try {
      read(text);
      return true;
    } catch {
      return false;
    }
  }, error);
}

const certificate = readable((text) => new X509Certificate(text), 'must be a certificate in PEM');
const privateKey = readable((text) => createPrivateKey(text), 'must be a private key in PEM, without a passphrase');

const both = ['api', 'worker'] as const;

export const redisSettings = {
  REDIS_URL: {
    schema: urls,
    description:
      'The address of Redis 6.2 or newer, with maxmemory-policy noeviction. If Redis loses everything, no message is lost. For Redis Cluster or Sentinel, see docs/redis.md.',
    programs: both,
    secret: true,
    example: 'redis://127.0.0.1:6379',
  },
  KURIR_REDIS_CLUSTER: {
    schema: flag.default(false),
    description:
      'Whether REDIS_URL leads to a Redis Cluster. REDIS_URL then names some of its nodes, with commas between the addresses.',
    programs: both,
  },
  KURIR_REDIS_SENTINELS: {
    schema: urls.optional(),
    description:
      'The addresses of the Sentinels, with commas between them. The host in REDIS_URL is then the name of the primary in Sentinel, without a port.',
    programs: both,
    secret: true,
    example: 'redis://:password@sentinel-1:26379,redis://:password@sentinel-2:26379',
  },
  KURIR_REDIS_TLS_CA: {
    schema: certificate.optional(),
    description:
      'The certificate, in PEM, of the authority that signed the certificates of Redis. Default: the authorities that Node.js knows.',
    programs: both,
    secret: true,
  },
  KURIR_REDIS_TLS_CERT: {
    schema: certificate.optional(),
    description: 'The certificate, in PEM, that Kurir shows to a Redis that asks for one.',
    programs: both,
    secret: true,
  },
  KURIR_REDIS_TLS_KEY: {
    schema: privateKey.optional(),
    description: 'The private key, in PEM, of KURIR_REDIS_TLS_CERT.',
    programs: both,
    secret: true,
  },
} as const;

/** The settings of Redis that a program has read. */
export type RedisSettings = { [N in keyof typeof redisSettings]: z.output<(typeof redisSettings)[N]['schema']> };

export type RedisTls = { readonly ca?: string; readonly cert?: string; readonly key?: string };

export type RedisAddress = {
  readonly urls: readonly string[];
  readonly cluster: boolean;
  /** Empty without Sentinel. */
  readonly sentinels: readonly string[];
  readonly tls: RedisTls;
};

/** Returns where Redis is, as `connectQueue` takes it. */
export function redisAddress(settings: RedisSettings): RedisAddress {
  const { KURIR_REDIS_TLS_CA: ca, KURIR_REDIS_TLS_CERT: cert, KURIR_REDIS_TLS_KEY: key } = settings;
  return {
    urls: split(settings.REDIS_URL),
    cluster: settings.KURIR_REDIS_CLUSTER,
    sentinels: settings.KURIR_REDIS_SENTINELS === undefined ? [] : split(settings.KURIR_REDIS_SENTINELS),
    tls: {
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
    },
  };
}

const accessOf = ({ protocol, username, password }: URL) => JSON.stringify([protocol, username, password]);
const haveOneAccess = (parsed: readonly URL[]) => new Set(parsed.map(accessOf)).size <= 1;
const oneAccess = 'have the same scheme, user and password in all its addresses.';

function clusterProblems(servers: readonly URL[]): string[] {
  const hasDatabase = servers.some(({ pathname }) => !['', '/', '/0'].includes(pathname));
  return [
    ...(haveOneAccess(servers) ? [] : [`REDIS_URL must ${oneAccess}`]),
    ...(hasDatabase ? ['REDIS_URL names a database, but a Redis Cluster has only database 0.'] : []),
  ];
}

function sentinelProblems(servers: readonly URL[], sentinels: readonly URL[]): string[] {
  const isName = servers.length === 1 && servers[0]?.port === '' && servers[0].hostname !== '';
  return [
    ...(isName
      ? []
      : ['REDIS_URL must name the primary as Sentinel does, without a port, like redis://:password@mymaster.']),
    ...(haveOneAccess(sentinels) ? [] : [`KURIR_REDIS_SENTINELS must ${oneAccess}`]),
  ];
}

function tlsProblems({ tls }: RedisAddress, all: readonly URL[]): string[] {
  const usesTls = all.some(({ protocol }) => protocol === 'rediss:');
  const isHalf = (tls.cert === undefined) !== (tls.key === undefined);
  return [
    ...(Object.keys(tls).length > 0 && !usesTls
      ? ['KURIR_REDIS_TLS_CA, _CERT and _KEY need an address of Redis that starts with rediss://.']
      : []),
    ...(isHalf ? ['KURIR_REDIS_TLS_CERT and KURIR_REDIS_TLS_KEY need each other.'] : []),
  ];
}

/** Returns the contradictions between settings of Redis, one sentence each. No sentence contains a value. */
export function redisProblems(settings: RedisSettings): string[] {
  const address = redisAddress(settings);
  const servers = address.urls.map((one) => new URL(one));
  const sentinels = address.sentinels.map((one) => new URL(one));
  const tls = tlsProblems(address, [...servers, ...sentinels]);
  if (address.cluster && sentinels.length > 0)
    return ['KURIR_REDIS_CLUSTER and KURIR_REDIS_SENTINELS exclude each other.', ...tls];
  if (address.cluster) return [...clusterProblems(servers), ...tls];
  if (sentinels.length > 0) return [...sentinelProblems(servers, sentinels), ...tls];
  if (servers.length > 1)
    return ['REDIS_URL has several addresses; set KURIR_REDIS_CLUSTER=true for a Redis Cluster.', ...tls];
  return tls;
}
