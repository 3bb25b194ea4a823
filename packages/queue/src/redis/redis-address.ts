/** Where Redis is, and of which of three kinds: a single server, a Cluster, or a primary that Sentinel watches. */
import type { ConnectionOptions } from 'node:tls';

export type RedisAddress = {
  /** Several only for a Cluster. Behind Sentinel, the host is Sentinel's name of the primary. */
  readonly urls: readonly string[];
  readonly cluster?: boolean;
  /** Empty or absent without Sentinel. */
  readonly sentinels?: readonly string[];
  /** Each in PEM, for addresses that start with `rediss://`. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
};

export type RedisKind = 'single' | 'cluster' | 'sentinel';

/** A server of an address, with the names that ioredis uses. */
export type Server = {
  readonly host: string;
  readonly port: number;
  readonly db: number;
  readonly username?: string;
  readonly password?: string;
  readonly tls?: ConnectionOptions;
};

export function kindOf({ cluster = false, sentinels = [] }: RedisAddress): RedisKind {
  if (cluster) return 'cluster';
  return sentinels.length > 0 ? 'sentinel' : 'single';
}

function readServer(text: string, tls: RedisAddress['tls'], defaultPort: number): Server {
  const url = new URL(text);
  const [username, password] = [url.username, url.password].map(decodeURIComponent);
  return {
    host: decodeURIComponent(url.hostname).replace(/^\[|\]$/g, ''),
    port: Number(url.port) || defaultPort,
    db: Number(url.pathname.slice(1)) || 0,
    ...(username === '' || username === undefined ? {} : { username }),
    ...(password === '' || password === undefined ? {} : { password }),
    ...(url.protocol === 'rediss:' ? { tls: { ...tls } } : {}),
  };
}

/** The servers in `urls`. Behind Sentinel this is one, and its host is a name. */
export const readServers = ({ urls, tls }: RedisAddress): Server[] => urls.map((url) => readServer(url, tls, 6_379));
export const readSentinels = ({ sentinels = [], tls }: RedisAddress): Server[] =>
  sentinels.map((url) => readServer(url, tls, 26_379));
