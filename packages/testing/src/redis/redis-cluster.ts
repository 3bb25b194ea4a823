/** A Redis Cluster on loopback. The slots are shared among three primaries, which may have replicas. */
import { freePort } from '../machine/free-port.js';
import { waitUntil } from '../machine/wait-until.js';
import { type RedisServer, type RedisServerOptions, startRedisServer } from './redis-server.js';

export type RedisCluster = {
  /** The three primaries at the start. */
  readonly nodes: readonly RedisServer[];
  /** One replica of each primary, in the same order. Empty without replicas. */
  readonly replicas: readonly RedisServer[];
  /** The settings of a program that uses it. */
  readonly settings: { readonly REDIS_URL: string; readonly KURIR_REDIS_CLUSTER: 'true' };
  /** Resolves when every node that lives finds the Cluster well. */
  untilWell(): Promise<void>;
  stop(): Promise<void>;
};

export type RedisClusterOptions = Pick<RedisServerOptions, 'password' | 'certificate'> & {
  readonly replicas?: boolean;
};

const slots = 16_384;
const primaries = 3;
/** After this time without an answer, a node counts as lost. */
const nodeTimeoutMs = 1_000;

type Member = { readonly server: RedisServer; readonly busPort: number };

async function startMember(options: RedisServerOptions): Promise<Member> {
  const busPort = await freePort();
  const config = [
    'cluster-enabled yes',
    `cluster-port ${busPort}`,
    `cluster-node-timeout ${nodeTimeoutMs}`,
    'cluster-replica-validity-factor 0',
    'repl-diskless-sync-delay 0',
    // Without it, the nodes name each other's ports without TLS.
    ...(options.certificate === undefined ? [] : ['tls-cluster yes']),
  ];
  return { server: await startRedisServer({ ...options, config }), busPort };
}

const textOf = (reply: string) => reply.split('\r\n')[1] ?? '';

async function share(members: readonly Member[]): Promise<void> {
  const [first] = members;
  for (const [i, { server, busPort }] of members.entries()) {
    const [from, to] = [i, i + 1].map((n) => Math.floor((n * slots) / primaries));
    if (i < primaries) await server.ask(`CLUSTER ADDSLOTSRANGE ${from} ${(to ?? 0) - 1}`);
    await server.ask(`CLUSTER SET-CONFIG-EPOCH ${i + 1}`);
    if (i > 0) await first?.server.ask(`CLUSTER MEET 127.0.0.1 ${server.port} ${busPort}`);
  }
}

const isWell = async ({ server }: Member, count: number) => {
  const info = await server.ask('CLUSTER INFO').catch(() => '');
  return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${count}`);
};

async function untilWell(members: readonly Member[], lives: (member: Member) => Promise<boolean>): Promise<void> {
  const all = async () => {
    const states = await Promise.all(
      members.map(async (member) => (await isWell(member, members.length)) || !(await lives(member))),
    );
    return states.every(Boolean);
  };
  await waitUntil(all, { what: 'the Redis Cluster is well', timeoutMs: 30_000 });
}

async function addReplicas(members: readonly Member[]): Promise<void> {
  for (const [i, { server }] of members.slice(primaries).entries()) {
    const id = textOf((await members[i]?.server.ask('CLUSTER MYID')) ?? '');
    await server.ask(`CLUSTER REPLICATE ${id}`);
    const isLinked = async () => (await server.ask('INFO replication')).includes('master_link_status:up');
    await waitUntil(isLinked, { what: 'the replica follows', timeoutMs: 30_000 });
  }
}

export async function startRedisCluster({
  replicas = false,
  ...options
}: RedisClusterOptions = {}): Promise<RedisCluster> {
  const count = replicas ? 2 * primaries : primaries;
  const members = await Promise.all(Array.from({ length: count }, () => startMember(options)));
  const lives = ({ server }: Member) =>
    server.ask('PING').then(
      () => true,
      () => false,
    );
  await share(members);
  await untilWell(members, lives);
  await addReplicas(members);
  const servers = members.map(({ server }) => server);
  return {
    nodes: servers.slice(0, primaries),
    replicas: servers.slice(primaries),
    settings: {
      REDIS_URL: servers.map(({ url, tlsUrl }) => (options.certificate === undefined ? url : tlsUrl)).join(','),
      KURIR_REDIS_CLUSTER: 'true',
    },
    untilWell: () => untilWell(members, lives),
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}
