/**
 * A pretend phone: the primary device of an account. It scans QR codes, takes pairing codes, unlinks companions, and
 * is where a test changes what the network thinks of the account. It reads no messages: its keys open nothing.
 */
import { type Account, accountJid, type NewChatCap, type ReachoutTimelock } from './account.js';
import { setNewChatCap, setReachoutTimelock } from './account-limits.js';
import type { Device } from './device.js';
import { unlink } from './login.js';
import type { LinkOptions } from './candidate.js';
import { type PasskeyDemand, usualDemand } from './passkey.js';
import { type StreamEnd, streamEndStanza } from './stream-end.js';
import type { Switchboard } from './switchboard.js';

/** A companion as the phone's settings list it. */
export type LinkedDevice = {
  readonly id: number;
  /** `number:device`, as in the journal. */
  readonly name: string;
  readonly connected: boolean;
  /** One-time pre-keys that others can still fetch. */
  readonly oneTimePreKeys: number;
  /** Stanzas that the device has not acknowledged. */
  readonly backlog: number;
};

export interface Phone {
  /** Digits with country code. */
  readonly number: string;
  /** `…@s.whatsapp.net` and `…@lid` */
  readonly jid: string;
  readonly lid: string;
  /** Scans a QR code: resolves with the new device once the companion confirmed, rejects with why it did not link. */
  scan(qr: string, options?: LinkOptions): Promise<LinkedDevice>;
  /** Types a pairing code; as `scan`. A hyphen in the code is allowed. */
  pair(code: string, options?: LinkOptions): Promise<LinkedDevice>;
  devices(): readonly LinkedDevice[];
  /** Takes a companion off, as a person does in the phone's settings. */
  unlink(deviceId: number): void;
  /** Ends the stream of a connected companion with this reason. */
  endStream(deviceId: number, end: StreamEnd): void;
  /** Cuts the connection: closed politely, reset, or reset in the middle of a frame. */
  cut(deviceId: number, how: 'close' | 'reset' | 'mid-frame'): void;
  /** Whether the phone tells senders that their messages arrived, as a phone in a pocket does. Off at first. */
  reportDeliveries(reported: boolean): void;
  /** Whether others see this account by its LID instead of its phone number. */
  hideNumber(hidden: boolean): void;
  /**
   * While it holds, messages to numbers that are no contacts are refused with 463. Companions are told; `told: false`:
   * they learn it from a refusal.
   */
  setReachoutTimelock(timelock: ReachoutTimelock | null, options?: { readonly told?: boolean }): void;
  /** The allowance of new chats. It is counted, not enforced: how WhatsApp enforces it is not known. */
  setNewChatCap(cap: NewChatCap | null): void;
  /** Whether the account writes to people by LID. */
  setMigrated(migrated: boolean): void;
  /** Whether a companion must answer with the account's passkey before it is linked, and how it hears of that. */
  requirePasskey(required: boolean, demand?: Partial<PasskeyDemand>): void;
}

export function createPhone(board: Switchboard, account: Account): Phone {
  const device = (id: number): Device => {
    const found = id === 0 ? undefined : account.devices.get(id);
    if (!found) throw new Error(`${account.number} has no device ${id}`);
    return found;
  };
  return {
    number: account.number,
    jid: accountJid(account, 's.whatsapp.net'),
    lid: accountJid(account, 'lid'),
    scan: async (qr, options = {}) => describe(await board.pairings.scan(account, qr, options)),
    pair: async (code, options = {}) => describe(await board.pairings.codes.type(account, code, options)),
    devices: () => [...account.devices.values()].filter(({ id }) => id !== 0).map(describe),
    unlink: (id) => unlink(board, device(id), 'phone'),
    endStream: (id, end) => device(id).connection?.end(streamEndStanza(end)),
    cut: (id, how) => cut(device(id), how),
    reportDeliveries: (reported) => {
      account.reportsDeliveries = reported;
    },
    hideNumber: (hidden) => {
      account.addressing = hidden ? 'lid' : 'pn';
    },
    setReachoutTimelock: (timelock, { told = true } = {}) => setReachoutTimelock(account, timelock, told),
    setNewChatCap: (cap) => setNewChatCap(account, cap),
    setMigrated: (migrated) => {
      account.lidMigrated = migrated;
    },
    requirePasskey: (required, demand = {}) => {
      account.passkey = required ? { ...usualDemand, ...demand } : null;
    },
  };
}

function cut({ connection }: Device, how: 'close' | 'reset' | 'mid-frame'): void {
  if (how === 'close') connection?.end();
  if (how === 'reset') connection?.reset();
  if (how === 'mid-frame') connection?.resetMidFrame();
}

function describe(device: Device): LinkedDevice {
  return {
    id: device.id,
    name: device.name,
    connected: device.connection !== null,
    oneTimePreKeys: device.oneTimePreKeys.length,
    backlog: device.backlog,
  };
}
