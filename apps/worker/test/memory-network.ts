/** A network without sockets, for what is about who holds which session: it only tells which sessions are open. */
import type { ConnectOptions, Driver, SendOutcome, Session } from '@kurir/network';

export class MemoryNetwork {
  /** Epochs of the open sessions, by device, in the order in which they were opened. */
  readonly open = new Map<string, bigint[]>();
  /** Network ids in the order in which they were sent, with the epoch that sent them. */
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
