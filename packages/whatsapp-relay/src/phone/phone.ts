/**
 * A pretend phone: the primary device of an account. It scans QR codes, takes pairing codes and unlinks companions.
 * Tests use it to change what the network knows of the account. It writes to companions, its own and those of
 * others, but it reads no messages: its keys open nothing.
 */
import {
  type Account,
  accountJid,
  type Device,
  type NewChatCap,
  type PasskeyDemand,
  type ReachoutTimelock,
} from '../devices/account.js';
import { setNewChatCap, setReachoutTimelock } from '../devices/account-limits.js';
import { shareAppState } from './app-state-sharing.js';
import { type Crowd, injectCrowd, injectUndecryptable } from '../people/crowd.js';
import { type HistoryOptions, shareHistory } from './history.js';
import type { Pairings } from '../linking/pairings.js';
import { unlink } from '../linking/unlink.js';
import { migrate } from './migration.js';
import type { LinkOptions } from '../linking/candidate.js';
import { vouch } from '../people/privacy-tokens.js';
import { usualDemand } from '../linking/passkey.js';
import type { Letter } from '../wire/letter-protobuf.js';
import { type StreamEnd, streamEndStanza } from '../wire/stream-end.js';
import { type LetterOptions, write, writeElsewhere } from '../writing/letters.js';
import type { Switchboard } from '../switchboard/switchboard.js';

/** A companion, as the phone's settings list it. */
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
  /** The address by phone number: `…@s.whatsapp.net`. */
  readonly jid: string;
  /** The address by LID: `…@lid`. */
  readonly lid: string;
  /**
   * Scans a QR code. Resolves with the new device when the companion has confirmed; rejects with the reason why it did
   * not link.
   */
  scan(qr: string, options?: LinkOptions): Promise<LinkedDevice>;
  /** Types a pairing code. Resolves and rejects as `scan` does. A hyphen in the code is allowed. */
  pair(code: string, options?: LinkOptions): Promise<LinkedDevice>;
  devices(): readonly LinkedDevice[];
  /** Unlinks a companion, as a person does in the phone's settings. */
  unlink(deviceId: number): void;
  /** Ends the stream of a connected companion with this reason. */
  endStream(deviceId: number, end: StreamEnd): void;
  /** Cuts the connection: closed in the normal way, reset, or reset in the middle of a frame. */
  cut(deviceId: number, how: 'close' | 'reset' | 'mid-frame'): void;
  /** Whether the phone tells senders that their messages arrived, as a real phone does. Off at first. */
  reportDeliveries(reported: boolean): void;
  /** Whether the server shows others only the LID of this account, without the phone number. */
  hideNumber(hidden: boolean): void;
  /** Whether the account's chats use LIDs. Call it before linking: companions learn it then. */
  setMigrated(migrated: boolean): void;
  readonly isMigrated: boolean;
  /** Adds another spelling of the number. Numbers of Brazil, Mexico and Argentina have two. */
  alsoWritten(number: string): void;
  /** Whether a query for the account's devices by phone number gets none. A query by LID gets all. */
  hideDevicesByNumber(hidden: boolean): void;
  /** Whether nobody can fetch the keys of this device; 0 is the phone itself. */
  breakKeys(deviceId: number, broken: boolean): void;
  /** The name that others see. At first it has the number's last digits. */
  setPushName(name: string): void;
  setUsername(username: string): void;
  /** Whether people to whom this account never wrote need a token to write to it. */
  requireToken(required: boolean): void;
  /** Issues a token to the number, so that it may write to this account. `at` is the time of issue, for old tokens. */
  vouchFor(number: string, at?: Date): void;
  /** Sends the companions a message of a group, a status post or a channel's post. Returns its id. */
  injectCrowd(crowd: Crowd): string;
  /**
   * Sends the companions a message of this number that they cannot open. Returns its id. The relay must know the
   * number.
   */
  injectUndecryptable(from: string): string;
  /**
   * Writes to a number with the phone, or to a group in which its companions are. The relay must know the number.
   * Resolves with the message's id.
   */
  write(to: string, letter: Letter, options?: LetterOptions): Promise<string>;
  /** Writes as the owner, while companions are linked: they get a copy. Resolves with the message's id. */
  writeElsewhere(to: string, letter: Letter): Promise<string>;
  /**
   * Tells the companion what a phone tells a new one. That is its chats with tokens and addresses and the salt for
   * first messages, or people's names. The history is encrypted on the media host, or `inline` in the message. Returns
   * the message's id.
   */
  shareHistory(deviceId: number, options?: HistoryOptions): Promise<string>;
  /**
   * Gives the companion the key of the app state, and writes the salt and the account's name there. The server
   * announces the change. Returns the id of the message with the key.
   */
  shareAppState(deviceId: number): Promise<string>;
  /** Moves the account's chats to LIDs while companions are linked. The phone tells them. */
  migrate(): Promise<void>;
  /** The salt of the account's tokens for first messages. */
  readonly nctSalt: Uint8Array;
  /**
   * While it holds, the server refuses messages to numbers that are no contacts with 463. It tells the companions. With
   * `told: false`, they learn it from a refusal.
   */
  setReachoutTimelock(timelock: ReachoutTimelock | null, options?: { readonly told?: boolean }): void;
  /** The allowance of new chats. The relay counts it but does not enforce it: nobody knows how WhatsApp enforces it. */
  setNewChatCap(cap: NewChatCap | null): void;
  /** Whether a companion must answer with the account's passkey before it is linked, and how the server asks for it. */
  requirePasskey(required: boolean, demand?: Partial<PasskeyDemand>): void;
}

export function createPhone(board: Switchboard, pairings: Pairings, account: Account): Phone {
  const device = (id: number): Device => {
    const found = id === 0 ? undefined : account.devices.get(id);
    if (!found) throw new Error(`${account.number} has no device ${id}`);
    return found;
  };
  const person = (number: string): Account => {
    const found = board.accounts.byPhoneNumber(number);
    if (!found) throw new Error(`nobody has the number ${number}`);
    return found;
  };
  return {
    number: account.number,
    jid: accountJid(account, 's.whatsapp.net'),
    lid: accountJid(account, 'lid'),
    scan: async (qr, options = {}) => describe(await pairings.scan(account, qr, options)),
    pair: async (code, options = {}) => describe(await pairings.codes.type(account, code, options)),
    devices: () => [...account.devices.values()].filter(({ id }) => id !== 0).map(describe),
    unlink: (id) => unlink(board, device(id), 'phone'),
    endStream: (id, end) => device(id).connection?.end(streamEndStanza(end)),
    cut: (id, how) => cut(device(id), how),
    reportDeliveries: (reported) => {
      account.reportsDeliveries = reported;
    },
    hideNumber: (hidden) => {
      account.hidesNumber = hidden;
    },
    setMigrated: (migrated) => {
      account.lidMigrated = migrated;
    },
    get isMigrated() {
      return account.lidMigrated;
    },
    alsoWritten: (number) => void account.alsoWritten.add(number),
    hideDevicesByNumber: (hidden) => {
      account.hidesDevicesByNumber = hidden;
    },
    breakKeys: (id, broken) => void (broken ? account.brokenKeys.add(id) : account.brokenKeys.delete(id)),
    setPushName: (name) => {
      account.pushName = name;
    },
    setUsername: (username) => {
      account.username = username;
    },
    requireToken: (required) => {
      account.requiresToken = required;
    },
    vouchFor: (number, at = new Date()) => {
      vouch(account, person(number), Math.floor(at.getTime() / 1000));
    },
    injectCrowd: (crowd) => injectCrowd(account, crowd),
    injectUndecryptable: (from) => injectUndecryptable(account, person(from)),
    write: (to, letter, options) => write(account, person(to), letter, options),
    writeElsewhere: (to, letter) => writeElsewhere(account, person(to), letter),
    shareHistory: (id, options) => shareHistory(board, device(id), options),
    shareAppState: (id) => shareAppState(device(id)),
    migrate: () => migrate(board, account),
    nctSalt: account.nctSalt,
    setReachoutTimelock: (timelock, { told = true } = {}) => setReachoutTimelock(account, timelock, told),
    setNewChatCap: (cap) => setNewChatCap(account, cap),
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
