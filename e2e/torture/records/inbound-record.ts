/** The record of what people wrote: the network's journal, and the rows and events that the gateway made of it. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Database } from '@kurir/database';

/** A message of a person. The network may have it several times under one id. */
export type Written = {
  readonly networkMessageId: string;
  readonly deviceId: string;
  readonly text: string;
  readonly at: number;
  /** Each time that the network showed it to the device is acknowledged. */
  isAcknowledged: boolean;
  /** The first acknowledgement. */
  acknowledgedAt: number | null;
};

/** The end of a connection while the device had not acknowledged some messages. The network repeats them. */
export type Interruption = { readonly at: number; readonly messages: number };

export type Kept = {
  readonly id: string;
  readonly deviceId: string;
  readonly networkMessageId: string;
  readonly events: number;
};

export type InboundRecord = {
  readonly written: readonly Written[];
  /** How many messages came a second time under their ids. */
  readonly repeats: number;
  readonly interruptions: readonly Interruption[];
  readonly kept: readonly Kept[];
};

type NetworkSide = Omit<InboundRecord, 'kept'>;

type Entry = {
  readonly n: number;
  readonly at: string;
  readonly kind: string;
  readonly device_id?: string;
  readonly number?: string;
  readonly recipient?: string;
  readonly network_message_id?: string;
  readonly text?: string;
  readonly events?: readonly number[];
};

const kinds = ['link', 'inbound', 'settled', 'disconnect'];
const isOfInterest = (line: string) => kinds.some((kind) => line.includes(`"kind":"${kind}"`));

/** PROTOCOL.md of the simulator: the number of an inbound event is four times that of its entry. */
const eventsEachEntry = 4;

function createReader() {
  const written = new Map<string, Written>();
  const devices = new Map<string, string>();
  /** By device, the messages that it has not acknowledged, by the numbers of their entries. */
  const open = new Map<string, Map<number, string>>();
  const interruptions: Interruption[] = [];
  let repeats = 0;

  const openOf = (deviceId: string): Map<number, string> => {
    const found = open.get(deviceId) ?? new Map<number, string>();
    open.set(deviceId, found);
    return found;
  };

  function readInbound({ n, at, recipient = '', network_message_id: networkMessageId = '', text = '' }: Entry): void {
    const deviceId = devices.get(recipient) ?? '';
    if (written.has(networkMessageId)) repeats++;
    else
      written.set(networkMessageId, {
        networkMessageId,
        deviceId,
        text,
        at: Date.parse(at),
        isAcknowledged: true,
        acknowledgedAt: null,
      });
    openOf(deviceId).set(n, networkMessageId);
  }

  function readSettled({ at, device_id: deviceId = '', events = [] }: Entry): void {
    for (const event of events) {
      const n = event / eventsEachEntry;
      const message = written.get(openOf(deviceId).get(n) ?? '');
      if (message !== undefined) message.acknowledgedAt ??= Date.parse(at);
      openOf(deviceId).delete(n);
    }
  }

  function read(entry: Entry): void {
    const { device_id: deviceId = '' } = entry;
    switch (entry.kind) {
      case 'link':
        devices.set(entry.number ?? '', deviceId);
        return;
      case 'inbound':
        return readInbound(entry);
      case 'settled':
        return readSettled(entry);
      case 'disconnect': {
        const messages = openOf(deviceId).size;
        if (messages > 0) interruptions.push({ at: Date.parse(entry.at), messages });
      }
    }
  }

  function result(): NetworkSide {
    for (const ids of open.values())
      for (const id of ids.values()) {
        const message = written.get(id);
        if (message !== undefined) message.isAcknowledged = false;
      }
    return { written: [...written.values()], repeats, interruptions };
  }
  return { read, result };
}

export async function readWritten(path: string): Promise<NetworkSide> {
  const reader = createReader();
  // The simulator's own tests check this shape.
  for await (const line of createInterface({ input: createReadStream(path) }))
    if (isOfInterest(line)) reader.read(JSON.parse(line) as Entry);
  return reader.result();
}

/** A row for each message that people wrote, with the number of its events. */
export async function readKept({ pool }: Database): Promise<Kept[]> {
  const { rows } = await pool.query<Kept>(
    `SELECT i.id, i.device_id AS "deviceId", i.network_message_id AS "networkMessageId", coalesce(e.n, 0) AS events
     FROM inbound_messages i LEFT JOIN (
       SELECT state, count(*)::int AS n FROM events WHERE kind = 'message.received' GROUP BY state) e ON e.state = i.id
     WHERE i.kind = 'received'`,
  );
  return rows;
}
