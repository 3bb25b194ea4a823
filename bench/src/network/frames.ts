/**
 * What the simulated network saw, from its journal: when the first frame to a recipient came in. The network takes the
 * time itself, on the same clock as Postgres, and nobody has to look while something is measured.
 */
import { waitUntil } from '@kurir/testing';
import type { Network } from './network.js';

export type JournalEntry = {
  readonly kind: string;
  /** When it happened, as an ISO time with milliseconds. */
  readonly at: string;
  readonly device_id?: string | null;
  readonly recipient?: string;
  readonly fault?: string;
};

type Page = { readonly entries: readonly JournalEntry[]; readonly next_after: number };

export type Seen = {
  /** Milliseconds of unix time, of the first frame to each recipient. */
  readonly toRecipient: ReadonlyMap<string, number>;
  /** Devices that sent anything. */
  readonly senders: ReadonlySet<string>;
  /** Devices of which a frame was swallowed. */
  readonly swallowed: ReadonlySet<string>;
};

export type Frames = {
  /** All that was seen since these frames were opened. */
  read(): Promise<Seen>;
  /** True when each of the recipients had a frame within the time. */
  reached(recipients: readonly string[], timeoutMs: number): Promise<boolean>;
};

const pageSize = 10_000;
const lookEveryMs = 250;

/** Adds what the entries tell. */
export function createSeen() {
  const toRecipient = new Map<string, number>();
  const senders = new Set<string>();
  const swallowed = new Set<string>();
  return {
    seen: { toRecipient, senders, swallowed } satisfies Seen,
    add({ kind, at, device_id: deviceId, recipient, fault }: JournalEntry): void {
      if (kind === 'fault' && fault === 'swallow' && deviceId) swallowed.add(deviceId);
      if (kind !== 'message' || recipient === undefined) return;
      if (deviceId) senders.add(deviceId);
      if (!toRecipient.has(recipient)) toRecipient.set(recipient, Date.parse(at));
    },
  };
}

async function readPage({ url }: Network, after: number): Promise<Page> {
  const answer = await fetch(`${url}/journal?after=${after}&limit=${pageSize}`);
  if (!answer.ok) throw new Error(`the simulator's journal: ${answer.status} ${await answer.text()}`);
  // The simulator's own tests hold it to its shapes.
  return (await answer.json()) as Page;
}

/** Begins at the journal's present end. */
export async function openFrames(network: Network): Promise<Frames> {
  let { next_after: after } = await readPage(network, Number.MAX_SAFE_INTEGER);
  const { seen, add } = createSeen();
  async function read(): Promise<Seen> {
    for (;;) {
      const page = await readPage(network, after);
      for (const entry of page.entries) add(entry);
      if (page.next_after === after) return seen;
      after = page.next_after;
    }
  }
  return {
    read,
    async reached(recipients, timeoutMs) {
      const until = performance.now() + timeoutMs;
      const allReached = async () => {
        const { toRecipient } = await read();
        const isOver = performance.now() > until;
        if (recipients.every((recipient) => toRecipient.has(recipient))) return 'all' as const;
        return isOver ? ('some' as const) : null;
      };
      const what = `${recipients.length} messages are on the wire`;
      return (await waitUntil(allReached, { what, timeoutMs: 2 * timeoutMs, everyMs: lookEveryMs })) === 'all';
    },
  };
}
