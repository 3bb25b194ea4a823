/**
 * A pretend phone: the primary device of an account. It scans QR codes, takes pairing codes, unlinks companions, and
 * is where a test changes what the network thinks of the account. It reads no messages: its keys open nothing.
 * It can speak to its own companions.
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
import { type StreamEnd, streamEndStanza } from '../wire/stream-end.js';
import type { Switchboard } from '../switchboard/switchboard.js';

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
  /** Whether others are told of this account by its LID alone, without the phone number. */
  hideNumber(hidden: boolean): void;
  /** Whether the account's chats are LID-addressed. Say it before linking: companions learn it then. */
  setMigrated(migrated: boolean): void;
  readonly isMigrated: boolean;
  /** Another way in which people write the number, as in Brazil, Mexico and Argentina. */
  alsoWritten(number: string): void;
  /** Whether questions for the account's devices by phone number are answered with none, by LID with all. */
  hideDevicesByNumber(hidden: boolean): void;
  /** Whether the keys of this device, or of the phone itself (0), can be fetched by nobody. */
  breakKeys(deviceId: number, broken: boolean): void;
  /** The name that others see; the number's last digits at first. */
  setPushName(name: string): void;
  /** Whether people to whom this account never wrote need a token to write to it. */
  requireToken(required: boolean): void;
  /** Issues a token to the number, so that it may write to this account; `at`: when, for tokens that are old. */
  vouchFor(number: string, at?: Date): void;
  /** A message of a group, a status post or a channel's post reaches the companions; answers its id. */
  injectCrowd(crowd: Crowd): string;
  /** A message of this number, known to the relay, reaches the companions and cannot be opened; answers its id. */
  injectUndecryptable(from: string): string;
  /**
   * Tells the companion what a phone tells a new one: its chats with their tokens and addresses, and the salt for first
   * messages, or people's names. Encrypted on the media host, or `inline` in the message. Answers the message's id.
   */
  shareHistory(deviceId: number, options?: HistoryOptions): Promise<string>;
  /**
   * Gives the companion the key of the app state, writes the salt and the account's name there, and lets the server say
   * so. Answers the id of the message with the key.
   */
  shareAppState(deviceId: number): Promise<string>;
  /** The account's chats become LID-addressed while companions are linked: they are told by this phone. */
  migrate(): Promise<void>;
  /** The salt of the account's tokens for first messages. */
  readonly nctSalt: Uint8Array;
  /**
   * While it holds, messages to numbers that are no contacts are refused with 463. Companions are told; `told: false`:
   * they learn it from a refusal.
   */
  setReachoutTimelock(timelock: ReachoutTimelock | null, options?: { readonly told?: boolean }): void;
  /** The allowance of new chats. It is counted, not enforced: how WhatsApp enforces it is not known. */
  setNewChatCap(cap: NewChatCap | null): void;
  /** Whether a companion must answer with the account's passkey before it is linked, and how it hears of that. */
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
    requireToken: (required) => {
      account.requiresToken = required;
    },
    vouchFor: (number, at = new Date()) => {
      vouch(account, person(number), Math.floor(at.getTime() / 1000));
    },
    injectCrowd: (crowd) => injectCrowd(account, crowd),
    injectUndecryptable: (from) => injectUndecryptable(account, person(from)),
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
