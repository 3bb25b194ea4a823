/**
 * Reads from the journal of the simulated network when it received the first frame to each recipient. The network notes
 * the time itself, with the clock that Postgres uses. So nobody has to watch it during a measurement.
 */
import { waitUntil } from '@kurir/testing';
import type { Network } from './network.js';

export type JournalEntry = {
  readonly kind: string;
  /** ISO time with milliseconds. */
  readonly at: string;
  readonly device_id?: string | null;
  readonly recipient?: string;
  readonly fault?: string;
};

type Page = { readonly entries: readonly JournalEntry[]; readonly next_after: number };

export type Seen = {
  /** Unix milliseconds of the first frame to each recipient. */
  readonly toRecipient: ReadonlyMap<string, number>;
  /** Devices that sent a frame. */
  readonly senders: ReadonlySet<string>;
  /** Devices that had a frame swallowed. */
  readonly swallowed: ReadonlySet<string>;
};

export type Frames = {
  /** Returns everything since these frames were opened. */
  read(): Promise<Seen>;
  /** Returns true if every recipient had a frame within the time. */
  reached(recipients: readonly string[], timeoutMs: number): Promise<boolean>;
};

const pageSize = 10_000;
const lookEveryMs = 250;

/** `add` collects the journal's entries in `seen`. */
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
  // The simulator's own tests check this shape.
  return (await answer.json()) as Page;
}

/** Starts at the present end of the journal. */
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
