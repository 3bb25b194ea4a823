/**
 * The contract between the worker and one messaging network.
 *
 * A driver speaks one network's protocol and nothing else: it knows no database, queue or setting.
 * It answers with values, never with exceptions, for whatever the network says. What it cannot know
 * it calls `unknown`. Deciding what follows (retry, expire, give up) is the worker's.
 */
import type { Content, PairingMethod } from '@kurir/contracts';

export type OutgoingMessage = {
  /** The id under which the network sees the message. The same message always goes out under the same id. */
  readonly networkMessageId: string;
  /** Digits with country code, no plus sign. */
  readonly recipient: string;
  readonly content: Content;
};

/** Why the network refused. Short, stable words: they become the `reason` that a customer reads. */
export type NotSentReason =
  | 'recipient_not_on_network'
  | 'recipient_unavailable'
  | 'rejected_by_network'
  | 'rate_limited_by_network'
  /** The account may not write to new contacts at the moment. */
  | 'new_contacts_restricted'
  /** The account needs a token of this one person, who gives it by writing first. */
  | 'recipient_token_required'
  /** The person has several addresses, and the network refused the message at each. */
  | 'recipient_address_refused'
  | 'temporarily_unavailable';

/**
 * What became of one try to send.
 *
 * - `sent`: the network acknowledged it. Nothing less counts.
 * - `not-sent`: the network said no, or the session was not connected and nothing was written.
 *   `permanent` says whether it will always be no; otherwise `retryAfterMs` is the earliest time for the next try.
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

/** The network took a message, reported outside a running `send` (late, or for an earlier session's try). */
export type Acknowledgement = { readonly networkMessageId: string };

export type Receipt = { readonly networkMessageId: string; readonly status: 'delivered' | 'read' };

export type InboundMessage = {
  readonly networkMessageId: string;
  /** Digits with country code. */
  readonly from: string;
  readonly text: string;
  readonly receivedAt: Date;
};

/**
 * What the network allows an account beyond its known contacts. Reported when a session has learned it and whenever it
 * changes; a later report replaces an earlier one.
 */
export type AccountLimits = {
  /**
   * Messages to people who neither wrote to this account nor were written to. `blockedUntil` is null when the network
   * did not say; `reason` is a short stable word of ours or of the network.
   */
  readonly newContacts: 'allowed' | { readonly blockedUntil: Date | null; readonly reason: string };
  /** Null when the network counts none, or did not say. */
  readonly newChatQuota: { readonly used: number; readonly total: number; readonly resetsAt: Date | null } | null;
  /**
   * The network warns that the account writes to many new contacts: once, or for the last time. Left out: it does not.
   * `until` is null when the network did not say.
   */
  readonly warning?: { readonly kind: 'first' | 'second'; readonly until: Date | null };
};

/** Why a session ended, in our own words, one for each thing that the worker does next. */
export type CloseReason =
  | 'connection_lost'
  | 'restart_required'
  | 'network_unavailable'
  /** The network, or an edge in front of it, takes no connection from this address for a while. */
  | 'rate_limited_by_network'
  /** The device's own proxy is not there, refuses us, or does not let us through. */
  | 'proxy_failed'
  /** The device's own proxy stands on an address that is not public: nothing was sent there. */
  | 'proxy_not_allowed'
  | 'replaced'
  | 'logged_out'
  | 'banned'
  | 'temporarily_banned'
  | 'credentials_invalid'
  /** A stored row cannot be opened, or not be understood: a person must see to it. */
  | 'credentials_unreadable'
  /** What is stored of the device's proxy cannot be opened; said by the worker, never by a driver. */
  | 'proxy_unreadable'
  /** The worker has no driver for the device's network; said by the worker. */
  | 'no_driver'
  /** The network refuses the version of its client that the driver appeared as; `detail` names the version. */
  | 'client_outdated'
  | 'closed_by_us';

/**
 * The end of a session; exactly one per session, and nothing after it.
 *
 * - `reconnect`: connect again, with backoff.
 * - `wait`: connect again, not before `until`.
 * - `check-lease`: another connection took over, or the credential store refused us. Reconnect only if the lease is
 *   still ours.
 * - `relink`: the credentials are worthless. Erase them; a person must link again.
 * - `banned`: the network closed the account. Keep the device, send nothing.
 * - `none`: we closed it.
 */
export type SessionEnd = {
  readonly reason: CloseReason;
  readonly next: 'reconnect' | 'wait' | 'check-lease' | 'relink' | 'banned' | 'none';
  readonly until?: Date;
  /** The network's own reason where it gives one, as a short stable word: why an account is banned, for instance. */
  readonly detail?: string;
};

/**
 * What a session reports. Handlers that return a promise are awaited before the driver acknowledges the
 * event to the network, so that a crash between the two makes the network report again (commit first,
 * acknowledge after). A handler that rejects leaves the event unacknowledged; none throws, and what they
 * resolve with says nothing.
 */
export interface SessionEvents {
  /** The network accepted the login; from now on `send` can succeed. Once per session. */
  connected(): void;
  /**
   * A message was taken by the network. May repeat, and may name messages of earlier sessions. Not every network says
   * it again when the handler rejects.
   */
  acknowledged(acknowledgement: Acknowledgement): Promise<unknown>;
  /** Delivered or read. May repeat, come late, out of order, or before the acknowledgement. */
  receipt(receipt: Receipt): Promise<unknown>;
  inbound(message: InboundMessage): Promise<unknown>;
  /** Only from networks that limit accounts. */
  limits?(limits: AccountLimits): void;
  /** The session is over. Running `send`s have been answered (`unknown` at worst) before this is called. */
  ended(end: SessionEnd): void;
}

/** One changed credential row; `value: null` deletes it. */
export type CredentialChange = { readonly kind: string; readonly id: string; readonly value: Uint8Array | null };

/**
 * A credential row is there but cannot be opened: damaged, or sealed with another master key. A session that meets it
 * ends as `credentials_unreadable` without asking to relink: with the right key the row may be good again.
 */
export class CredentialsUnreadable extends Error {
  override readonly name = 'CredentialsUnreadable';
}

/**
 * Where a driver keeps what it must remember of a device (login, keys). The worker implements it on
 * Postgres, encrypted. `write` is atomic: all changes or none. It rejects when this worker no longer
 * holds the device (`LeaseLost`); the driver must then stop using the session. `read` rejects with
 * `CredentialsUnreadable` for a row that it cannot open.
 */
export interface CredentialStore {
  read(kind: string, ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  write(changes: readonly CredentialChange[]): Promise<void>;
}

/** As the worker gives it to `forgetSessions`. */
export interface ErasableCredentials extends CredentialStore {
  /** Deletes all rows of these kinds, in several commits. Rejects as `write` does. */
  eraseKinds(kinds: readonly string[]): Promise<void>;
}

/** A live connection of one device. */
export interface Session {
  /**
   * Sends under the given id and waits for the network's answer, at most the driver's acknowledgement
   * timeout. Never rejects for an answer of the network. Sending the same id again is safe: the receiver
   * shows it once. When the session is not connected (not yet, or not any more) it answers at once
   * `not-sent`, not permanent, `temporarily_unavailable`: nothing was written.
   */
  send(message: OutgoingMessage): Promise<SendOutcome>;
  /** Resolves once the network's connection took it; rejects when the session is not connected. */
  typing(recipient: string, action: TypingAction): Promise<void>;
  /**
   * Unlinks the device at the network, for good. Resolves when the network confirmed. Then `ended` with `logged_out`.
   * Rejects when the session is not connected, or ends or waits the acknowledgement timeout without a confirmation.
   */
  logout(): Promise<void>;
  /** Closes the connection, keeps the link. Running `send`s end as `unknown`. Resolves after `ended`. Safe to call twice. */
  close(): Promise<void>;
}

export type ConnectOptions = {
  readonly deviceId: string;
  /** The lease's epoch: a later owner has a higher one. Drivers that can, tell it to the network's log. */
  readonly epoch: bigint;
  readonly credentials: CredentialStore;
  readonly events: SessionEvents;
  /**
   * What went out under this id, for a receiver that lost its keys and asks for it again; null when it is not known, or
   * erased. Drivers of networks without such requests never call it.
   */
  readMessage?(networkMessageId: string): Promise<Pick<OutgoingMessage, 'recipient' | 'content'> | null>;
  /** `socks5://` or `http://`, with user and password if need be; everything of this device goes through it. */
  readonly proxyUrl?: string;
};

/** Why linking failed. Short, stable words: they become the `state_detail` that a customer reads. */
export type LinkFailure =
  | 'phone_number_missing'
  | 'phone_not_on_network'
  /** The network says that this account is linked only with its passkey, which the driver cannot answer. */
  | 'passkey_required'
  /** The identity that the network handed over is not vouched for by the phone. */
  | 'identity_not_authentic'
  | 'credentials_not_stored'
  | 'rejected_by_network'
  | 'rate_limited_by_network'
  | 'client_outdated'
  | 'network_unavailable'
  | 'connection_lost'
  /** Another attempt of this device took over. */
  | 'replaced'
  /** The network and the driver did not understand each other. */
  | 'protocol_error'
  | 'proxy_failed'
  | 'proxy_not_allowed'
  /** Said by the worker. */
  | 'proxy_unreadable'
  | 'no_driver';

/** How linking ended. `linked`: credentials are stored, `connect` will work. */
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
  /** Digits with country code; needed for `pairing_code`. */
  readonly phoneNumber?: string;
  readonly proxyUrl?: string;
  /** The newest QR text or pairing code; called again whenever it changes. Only the newest is worth showing. */
  code(code: string, validUntil: Date): void;
};

export interface LinkAttempt {
  /** Resolves once, never rejects. */
  readonly end: Promise<LinkEnd>;
  /** Ends the attempt as `cancelled`, unless the phone has linked the device already. Safe to call twice. */
  cancel(): void;
}

/**
 * One network. Stateless but for its options; a worker makes one and uses it for all its devices. What the network can do
 * is declared in `contracts/devices/networks.ts`.
 */
export interface Driver {
  /** Starts linking. Credentials are committed to the store before `end` resolves as `linked`. */
  link(options: LinkOptions): LinkAttempt;
  /**
   * Forgets the sessions with others, and whatever else must never go back to an earlier state: what is stored is a
   * backup's. The device stays linked. Called while it has no session; doing it twice, or again after dying in the middle,
   * does no harm. Rejects as the store does. Only networks with such state have it.
   */
  forgetSessions?(credentials: ErasableCredentials): Promise<void>;
  /** Starts connecting and returns at once; `events` tell the rest. */
  connect(options: ConnectOptions): Session;
}
