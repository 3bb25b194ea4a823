/** The network's record: the frames that the simulated network took, dropped and refused, from its journal on disk. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { refOf } from '../records/message-text.js';

/** A frame that the phone shows. */
export type Shown = {
  readonly n: number;
  readonly at: number;
  readonly deviceId: string;
  readonly recipient: string;
  readonly networkMessageId: string;
};

/** A login that ended an older socket of the same device. */
export type Kick = { readonly deviceId: string; readonly at: number; readonly epoch: string; readonly byEpoch: string };

/** A message from a person to a device. */
export type Heard = { readonly n: number; readonly from: string };

export type Trouble = { readonly at: number; readonly what: string };

export type NetworkRecord = {
  /** The frames of each `client_ref`. The phone shows a message twice if it has more than one. */
  readonly shown: ReadonlyMap<string, readonly Shown[]>;
  /** How many texts belong to no `client_ref`. */
  readonly foreign: number;
  /** How many frames the network dropped because it already had their id. */
  readonly repeatsDropped: number;
  /** The reasons of refusals, by network message id. */
  readonly refusals: ReadonlyMap<string, ReadonlySet<string>>;
  readonly kicks: readonly Kick[];
  /** By device, oldest first. */
  readonly heard: ReadonlyMap<string, readonly Heard[]>;
  /** By device: the injected faults that hit it, and the ends of its connections. */
  readonly troubles: ReadonlyMap<string, readonly Trouble[]>;
};

type Entry = {
  readonly n: number;
  readonly at: string;
  readonly kind: string;
  readonly device_id?: string | null;
  readonly epoch?: string;
  readonly socket?: number;
  readonly network_message_id?: string;
  readonly recipient?: string;
  readonly from?: string;
  readonly number?: string;
  readonly text?: string;
  readonly repeat?: boolean;
  readonly reason?: string;
  readonly fault?: string;
};

function push<Item>(map: Map<string, Item[]>, key: string, item: Item): void {
  const items = map.get(key);
  if (items === undefined) map.set(key, [item]);
  else items.push(item);
}

function createReader() {
  const shown = new Map<string, Shown[]>();
  const refusals = new Map<string, Set<string>>();
  const troubles = new Map<string, Trouble[]>();
  const kicks: Kick[] = [];
  const heard = new Map<string, Heard[]>();
  /** The devices that are linked to each number. */
  const linked = new Map<string, string[]>();
  /** Devices whose older socket has just been ended. The entry of the new login comes next. */
  const kicked = new Map<string, Entry>();
  const counts = { foreign: 0, repeatsDropped: 0 };

  function readMessage(entry: Entry): void {
    const ref = refOf(entry.text ?? '');
    if (entry.repeat === true) counts.repeatsDropped++;
    else if (ref === null) counts.foreign++;
    else
      push(shown, ref, {
        n: entry.n,
        at: Date.parse(entry.at),
        deviceId: entry.device_id ?? '',
        recipient: entry.recipient ?? '',
        networkMessageId: entry.network_message_id ?? '',
      });
  }

  function readLogin(deviceId: string, entry: Entry): void {
    const older = kicked.get(deviceId);
    kicked.delete(deviceId);
    if (older === undefined) return;
    kicks.push({ deviceId, at: Date.parse(entry.at), epoch: older.epoch ?? '', byEpoch: entry.epoch ?? '' });
  }

  function readInbound({ n, from = '', recipient = '' }: Entry): void {
    for (const deviceId of linked.get(recipient) ?? []) push(heard, deviceId, { n, from });
  }

  function read(entry: Entry): void {
    const deviceId = entry.device_id ?? '';
    switch (entry.kind) {
      case 'message':
        return readMessage(entry);
      case 'refused': {
        const id = entry.network_message_id ?? '';
        refusals.set(id, (refusals.get(id) ?? new Set()).add(entry.reason ?? ''));
        return;
      }
      case 'link':
        return push(linked, entry.number ?? '', deviceId);
      case 'inbound':
        return readInbound(entry);
      case 'login':
        return readLogin(deviceId, entry);
      case 'kick':
        kicked.set(deviceId, entry);
        return;
      case 'fault':
      case 'disconnect':
        push(troubles, deviceId, { at: Date.parse(entry.at), what: entry.fault ?? 'disconnect' });
    }
  }
  return { read, result: (): NetworkRecord => ({ shown, refusals, troubles, kicks, heard, ...counts }) };
}

export async function readNetworkRecord(path: string): Promise<NetworkRecord> {
  const reader = createReader();
  for await (const line of createInterface({ input: createReadStream(path) })) {
    // The simulator's own tests check this shape. Most entries are `settled`, which no check needs.
    if (line !== '' && !line.includes('"kind":"settled"')) reader.read(JSON.parse(line) as Entry);
  }
  return reader.result();
}
