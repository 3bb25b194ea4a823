/** A network without sockets, for tests of leases. It knows which sessions are open. */
import type { ConnectOptions, Driver, SendOutcome, Session } from '@kurir/network';

export class MemoryNetwork {
  /** The epochs of the open sessions of each device, in the order of their opening. */
  readonly open = new Map<string, bigint[]>();
  /** The network ids in the order of sending, with the epoch of the session that sent them. */
  readonly sent: { readonly id: string; readonly epoch: bigint }[] = [];
  sessions = 0;

  readonly driver: Driver = {
    link: () => ({ end: Promise.resolve({ kind: 'cancelled' }), cancel: () => undefined }),
    connect: (options) => this.#connect(options),
  };

  epochsOf(deviceId: string): bigint[] {
    return this.open.get(deviceId) ?? [];
  }

  #connect({ deviceId, epoch, events }: ConnectOptions): Session {
    this.sessions++;
    this.open.set(deviceId, [...this.epochsOf(deviceId), epoch]);
    let ended: Promise<void> | null = null;
    setImmediate(() => {
      if (ended === null) events.connected();
    });
    const end = (): Promise<void> =>
      (ended ??= new Promise((resolve) => {
        const others = this.epochsOf(deviceId);
        others.splice(others.indexOf(epoch), 1);
        setImmediate(() => {
          events.ended({ reason: 'closed_by_us', next: 'none' });
          resolve();
        });
      }));
    return {
      send: async ({ networkMessageId }): Promise<SendOutcome> => {
        if (ended !== null) return { kind: 'unknown', reason: 'connection_lost' };
        this.sent.push({ id: networkMessageId, epoch });
        return { kind: 'sent' };
      },
      typing: async () => undefined,
      logout: end,
      close: end,
    };
  }
}
