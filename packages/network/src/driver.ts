/**
 * The contract between the worker and one messaging network.
 *
 * A driver speaks the protocol of one network and does nothing else: it knows no database, queue or setting. For
 * everything that the network may say it returns values and throws no exceptions. If it cannot know an outcome, it
 * returns `unknown`. The worker decides what follows: retry, expire or give up.
 */
import type { Chat, Content, Identified, InboundReport, PairingMethod, ReadMark, ReplyTo } from '@kurir/contracts';

export type OutgoingMessage = {
  /** The id under which the network sees the message. A message always goes out under the same id. */
  readonly networkMessageId: string;
  /** Digits with country code, no plus sign. For a person whose number is hidden: the `userId` of the reports. */
  readonly recipient: string;
  readonly content: Content;
  readonly replyTo?: ReplyTo;
};

/** Why the network refused a message. Short, stable words: they become the `reason` that a customer reads. */
export type NotSentReason =
  | 'recipient_not_on_network'
  | 'recipient_unavailable'
  | 'rejected_by_network'
  | 'rate_limited_by_network'
  /** The account may not write to new contacts at the moment. */
  | 'new_contacts_restricted'
  /** The account needs a token of this person, who gives it by writing first. */
  | 'recipient_token_required'
  /** The person has several addresses, and the network refused the message at each. */
  | 'recipient_address_refused'
  | 'temporarily_unavailable';

/**
 * The outcome of one try to send.
 *
 * - `sent`: the network acknowledged the message. Nothing less counts.
 * - `not-sent`: the network refused, or the session was not connected and nothing was written. `permanent` says whether
 *   the network will always refuse; otherwise `retryAfterMs` is the earliest time for the next try.
 * - `unknown`: no answer, or the connection ended first. The message may have gone out.
 */
export type SendOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'not-sent'; readonly permanent: true; readonly reason: NotSentReason }
  | {
      readonly kind: 'not-sent';
      readonly permanent: false;
      readonly reason: NotSentReason;
      readonly retryAfterMs: number;
    }
  | { readonly kind: 'unknown'; readonly reason: 'no_answer' | 'connection_lost' };

export type TypingAction = 'start' | 'stop';

/** The network accepted a message. Reported only outside a running `send`: late, or for a try of an earlier session. */
export type Acknowledgement = { readonly networkMessageId: string };

export type Receipt = { readonly networkMessageId: string; readonly status: 'delivered' | 'read' };

/**
 * The limits of an account towards new contacts. A session reports them when it has learned them and whenever they
 * change. A later report replaces an earlier one.
 */
export type AccountLimits = {
  /**
   * Messages to people with whom the account has never exchanged a message. `blockedUntil` is null when the network
   * named no end. `reason` is a short stable word, ours or the network's.
   */
  readonly newContacts: 'allowed' | { readonly blockedUntil: Date | null; readonly reason: string };
  /** Null when the network counts none, or did not say. */
  readonly newChatQuota: { readonly used: number; readonly total: number; readonly resetsAt: Date | null } | null;
  /**
   * The warning of the network, the first or the last one, that the account writes to many new contacts. Left out when
   * there is none. `until` is null when the network named no end.
   */
  readonly warning?: { readonly kind: 'first' | 'second'; readonly until: Date | null };
};

/** Why a session ended, in our own words. Each word lets the worker do something else. */
export type CloseReason =
  | 'connection_lost'
  | 'restart_required'
  | 'network_unavailable'
  /** The network, or an edge server in front of it, accepts no connection from this address for a while. */
  | 'rate_limited_by_network'
  /** The device's own proxy is not there, refuses us, or does not reach the network. Its name may lead to no public address. */
  | 'proxy_failed'
  /** The device's own proxy is given by an address that is not public. Nothing was sent there. */
  | 'proxy_not_allowed'
  | 'replaced'
  | 'logged_out'
  | 'banned'
  | 'temporarily_banned'
  | 'credentials_invalid'
  /** A stored row cannot be opened or read; a person must repair it. */
  | 'credentials_unreadable'
  /** The stored proxy of the device cannot be opened. Only the worker reports it, never a driver. */
  | 'proxy_unreadable'
  /** The worker has no driver for the device's network. Only the worker reports it. */
  | 'no_driver'
  /** The network refuses the client version that the driver appeared as; `detail` names the version. */
  | 'client_outdated'
  | 'closed_by_us';

/**
 * The end of a session. A session has exactly one, and reports nothing after it.
 *
 * - `reconnect`: connect again, with backoff.
 * - `wait`: connect again, not before `until`.
 * - `check-lease`: another connection took over, or the credential store rejected. Reconnect only if the lease is still
 *   ours.
 * - `relink`: the credentials are worthless. Erase them; a person must link again.
 * - `banned`: the network closed the account. Keep the device, send nothing.
 * - `none`: we closed it.
 */
export type SessionEnd = {
  readonly reason: CloseReason;
  readonly next: 'reconnect' | 'wait' | 'check-lease' | 'relink' | 'banned' | 'none';
  readonly until?: Date;
  /** The network's own reason, if it gives one, as a short stable word: for example, why an account is banned. */
  readonly detail?: string;
};

/**
 * The events of a session.
 *
 * A handler may return a promise. The driver acknowledges the event to the network only after the promise resolved:
 * commit first, acknowledge after. So the network reports the event again after a crash between the two. If the handler
 * rejects, the event stays unacknowledged. No handler throws, and the driver ignores the resolved value. The driver calls
 * no handler before `connect` has returned.
 */
export interface SessionEvents {
  /** The network accepted the login, so `send` can succeed from now on. Once per session. */
  connected(): void;
  /**
   * The network accepted a message. It may repeat, and may name messages of earlier sessions. If the handler rejects,
   * not every network reports it again.
   */
  acknowledged(acknowledgement: Acknowledgement): Promise<unknown>;
  /** A message was delivered or read. It may repeat, or arrive late, out of order or before the acknowledgement. */
  receipt(receipt: Receipt): Promise<unknown>;
  /** A person wrote, or the account's owner did with the phone. It may repeat. */
  inbound(report: InboundReport): Promise<unknown>;
  /** The number of a person became known without a message of the person. It may repeat. */
  identified?(identified: Identified): Promise<unknown>;
  /** Only networks that limit accounts report it. */
  limits?(limits: AccountLimits): void;
  /** The session has ended. Before this call, every running `send` has resolved, at worst as `unknown`. */
  ended(end: SessionEnd): void;
}

/** A changed credential row. `value: null` deletes it. */
export type CredentialChange = { readonly kind: string; readonly id: string; readonly value: Uint8Array | null };

/**
 * A credential row exists but cannot be opened: it is damaged, or sealed with another master key. The session then ends
 * as `credentials_unreadable`. It does not ask to link again, because the row may be good with the right key.
 */
export class CredentialsUnreadable extends Error {
  override readonly name = 'CredentialsUnreadable';
}

/**
 * The store for a driver's credentials of one device (login, keys). The worker implements it on Postgres, encrypted.
 * `write` is atomic: all changes or none. It rejects with `LeaseLost` when this worker no longer holds the device; the
 * driver must then stop using the session. `read` rejects with `CredentialsUnreadable` for a row that it cannot open.
 */
export interface CredentialStore {
  read(kind: string, ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  write(changes: readonly CredentialChange[]): Promise<void>;
}

/** The store that the worker passes to `forgetSessions`. */
export interface ErasableCredentials extends CredentialStore {
  /** Deletes all rows of these kinds, in several commits. Rejects as `write` does. */
  eraseKinds(kinds: readonly string[]): Promise<void>;
}

/** A live connection of one device. */
export interface Session {
  /**
   * Sends the message under its id and waits for the network's answer, at most the acknowledgement timeout of the
   * driver. Never rejects because of an answer of the network. A send may be repeated with the same id: the receiver
   * shows the message once. When the session is not connected, nothing is written, and `send` resolves at once. The
   * outcome is `not-sent`, not permanent, `temporarily_unavailable`.
   */
  send(message: OutgoingMessage): Promise<SendOutcome>;
  /**
   * Resolves when the connection accepted the signal. Rejects when the session is not connected. `recipient` is that of
   * `send`.
   */
  typing(recipient: string, action: TypingAction): Promise<void>;
  /**
   * Tells the network that these messages of a chat were read. Resolves when the connection accepted it. Rejects when
   * the session is not connected. Networks without it leave it out.
   */
  markRead?(chat: Chat, messages: readonly ReadMark[]): Promise<void>;
  /**
   * Unlinks the device at the network. Resolves when the network has confirmed it; `ended` with `logged_out` follows.
   * Rejects when the session is not connected, or ends before the confirmation, or at the acknowledgement timeout.
   */
  logout(): Promise<void>;
  /**
   * Closes the connection and keeps the link. Running `send`s resolve as `unknown`. Resolves after `ended`. May be
   * called twice.
   */
  close(): Promise<void>;
}

export type ConnectOptions = {
  readonly deviceId: string;
  /** The lease's epoch. A later owner has a higher one. A driver tells it to the log of the network if it can. */
  readonly epoch: bigint;
  readonly credentials: CredentialStore;
  readonly events: SessionEvents;
  /**
   * Finds the message that was sent under this id, for a receiver that lost its keys and asks for it again. Null when
   * the message is unknown or erased. Drivers of networks without such requests never call it.
   */
  readMessage?(networkMessageId: string): Promise<Omit<OutgoingMessage, 'networkMessageId'> | null>;
  /** Whether messages in groups are reported now. A driver without it reports none. */
  reportsGroups?(): boolean;
  /** `socks5://` or `http://`, with user and password if needed. All traffic of the device goes through it. */
  readonly proxyUrl?: string;
};

/** Why linking failed. Short, stable words: they become the `state_detail` that a customer reads. */
export type LinkFailure =
  | 'phone_number_missing'
  | 'phone_not_on_network'
  /** The network links this account only with its passkey, which the driver does not support. */
  | 'passkey_required'
  /** The phone did not sign the identity that the network sent. */
  | 'identity_not_authentic'
  | 'credentials_not_stored'
  | 'rejected_by_network'
  | 'rate_limited_by_network'
  | 'client_outdated'
  | 'network_unavailable'
  | 'connection_lost'
  /** Another attempt of this device replaced this one. */
  | 'replaced'
  /** The network and the driver did not understand each other. */
  | 'protocol_error'
  | 'proxy_failed'
  | 'proxy_not_allowed'
  /** Only the worker reports these. */
  | 'proxy_unreadable'
  | 'no_driver';

/** The end of linking. `linked`: the credentials are stored, and `connect` will work. */
export type LinkEnd =
  | { readonly kind: 'linked'; readonly phoneNumber: string }
  | { readonly kind: 'expired' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly reason: LinkFailure };

export type LinkOptions = {
  readonly deviceId: string;
  readonly epoch: bigint;
  readonly credentials: CredentialStore;
  readonly method: PairingMethod;
  /** Digits with country code. Needed for `pairing_code`. */
  readonly phoneNumber?: string;
  readonly proxyUrl?: string;
  /** Called with the newest QR text or pairing code, again whenever it changes. Only the newest is worth showing. */
  code(code: string, validUntil: Date): void;
};

export interface LinkAttempt {
  /** Resolves once. Never rejects. */
  readonly end: Promise<LinkEnd>;
  /** Ends the attempt as `cancelled`, unless the phone has linked the device already. May be called twice. */
  cancel(): void;
}

/**
 * The driver of one network. It has no state but its options: a worker creates one and uses it for all devices.
 * `contracts/devices/networks.ts` declares what the network can do.
 */
export interface Driver {
  /** Starts linking. Credentials are committed to the store before `end` resolves as `linked`. */
  link(options: LinkOptions): LinkAttempt;
  /**
   * Forgets the sessions with contacts, and all else that must never return to an earlier state, after a backup was
   * restored. The device stays linked. The worker calls it while the device has no session. It may run twice, also
   * after a crash in the middle. Rejects as the store does. Only networks with such state have it.
   */
  forgetSessions?(credentials: ErasableCredentials): Promise<void>;
  /** Starts connecting and returns at once. `events` report the rest. */
  connect(options: ConnectOptions): Session;
}
