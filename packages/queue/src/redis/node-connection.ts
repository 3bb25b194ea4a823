/**
 * A connection to one node of a Cluster, for subscriptions and for the blocking read of a lane. Any node serves a
 * subscription. The keys of a lane are on one node, and each other node names it in a MOVED reply. The connection then
 * goes there and repeats the command. So it finds the lane again after a failover.
 *
 * The Cluster client of ioredis would serve too, but each holds a table of all slots and several connections. A worker
 * needs one for each lane.
 */
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { AbstractConnector, Redis, type RedisOptions } from 'ioredis';

export type Node = { readonly host: string; readonly port: number };

/** Reads the node in `MOVED 3999 10.0.0.7:6379`. Without a host, it is the host that replied. */
function movedTo({ message }: Error, from: Node | null): Node | null {
  const [, host, port] = /^MOVED \d+ (.*):(\d+)$/.exec(message) ?? [];
  if (port === undefined) return null;
  const named = host === '' || host === undefined ? from?.host : host;
  return named === undefined ? null : { host: named, port: Number(port) };
}

/** `nodes` returns the nodes that are known now. The connection tries them in turn, from any of them on. */
export function connectToNode(nodes: () => readonly Node[], options: RedisOptions): Redis {
  let turn = Math.floor(Math.random() * 16_384);
  let moved: Node | null = null;
  let present: Node | null = null;
  let isEnding = false;

  function choose(): Node {
    const known = nodes();
    const node = moved ?? known[turn++ % known.length];
    // If this node is away, the next attempt asks another one.
    moved = null;
    if (node === undefined) throw new Error('no node of the Redis Cluster is known');
    present = node;
    return node;
  }

  class NodeConnector extends AbstractConnector {
    constructor({ disconnectTimeout }: { disconnectTimeout: number }) {
      super(disconnectTimeout);
    }

    override async connect(): Promise<Socket> {
      // The text of ioredis, which does not report it for a connection that is being closed.
      if (isEnding) throw new Error('Connection is closed.');
      this.connecting = true;
      const { host, port } = choose();
      const stream =
        options.tls === undefined ? connectTcp({ host, port }) : connectTls({ host, port, ...options.tls });
      stream.once('error', (error) => {
        this.firstError = error;
      });
      this.stream = stream;
      return stream;
    }
  }

  const redis = new Redis({
    ...options,
    // ioredis gives its own options, which have this field.
    Connector: NodeConnector as unknown as NonNullable<RedisOptions['Connector']>,
    reconnectOnError(error) {
      moved = movedTo(error, present);
      // 2: connects again, and then repeats the command.
      return moved === null ? false : 2;
    },
  });
  const disconnect = redis.disconnect.bind(redis);
  /** BullMQ waits for the end, which ioredis forgets between two attempts. A last attempt, which fails, brings it. */
  redis.disconnect = (reconnect = false) => {
    const isBetween = redis.status === 'reconnecting' && !reconnect;
    disconnect(reconnect);
    if (!isBetween) return;
    isEnding = true;
    const over = () => {
      isEnding = false;
    };
    redis.connect().then(over, over);
  };
  return redis;
}
