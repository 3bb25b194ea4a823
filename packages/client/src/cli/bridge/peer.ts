/**
 * A peer is a gateway for which a bot was written. The bridge speaks its format on both sides: its webhooks to the bot,
 * and its calls from the bot.
 *
 * Ids of the peer hold the ids of Kurir, so the bridge keeps nothing that a restart would lose. A bot takes them as they
 * are.
 */
import type { KurirEvent } from '../../contract/call-types.js';

/**
 * A phone number of digits, or the id of a conversation: a group, or a person whose number is hidden. If the bridge does
 * not know the conversation, it has the network's id of the person, like `lid:2515`.
 */
export type Chat =
  | { readonly phone: string }
  | { readonly conversationId: string; readonly isGroup: boolean }
  | { readonly userId: string };

/** A call of the bot. */
export type PeerCall =
  | {
      readonly kind: 'send';
      readonly chat: Chat;
      readonly text: string;
      /** The id of the message that this one answers. */
      readonly replyTo: string | null;
      readonly answer: (jobId: string, sentAtMs: number) => object;
    }
  | { readonly kind: 'typing'; readonly chat: Chat; readonly action: 'start' | 'stop'; readonly answer: object }
  | { readonly kind: 'read'; readonly chat: Chat | null; readonly messageId: string | null; readonly answer: object };

/** The parts of a request that a route reads. */
export type PeerRequest = {
  /** The named groups of the route's pattern. */
  readonly path: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
};

export type PeerRoute = {
  readonly path: RegExp;
  /** The status of a success. */
  readonly status: 200 | 201;
  /** Throws a PeerRefusal for a request that the bridge cannot carry out. */
  readonly read: (request: PeerRequest, setup: PeerSetup) => PeerCall;
};

export type PeerSetup = {
  /** The session, the instance or the phone number id that the bot knows. */
  readonly name: string;
  /** Signs what the bot gets. Null: the bot checks nothing. */
  readonly secret: string | null;
  /** The key that the bot must send. Null: any. */
  readonly key: string | null;
};

/** The setup, and the address that the bot calls. */
export type OpenSetup = PeerSetup & { readonly url: string };

/** Finds the chat of a job whose number is hidden. Null: the bridge does not know it any more. */
export type Recall = (jobId: string) => Chat | null;

export type Peer = {
  readonly defaultName: string;
  readonly routes: readonly PeerRoute[];
  /** The body of the peer's webhook. Null: the peer has no such event. */
  readonly render: (event: KurirEvent, setup: OpenSetup, recall: Recall) => object | null;
  /** The headers that prove the body to the bot. */
  readonly sign: (body: string, event: KurirEvent, secret: string, nowMs: number) => Readonly<Record<string, string>>;
  /** The key that the bot sends with each call. */
  readonly keyOf: (headers: Readonly<Record<string, string | string[] | undefined>>) => string;
  readonly refuse: (refusal: PeerRefusal) => object;
};

/** The bot gets this status and sentence in the peer's form. */
export class PeerRefusal extends Error {
  override readonly name = 'PeerRefusal';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const badRequest = (message: string): PeerRefusal => new PeerRefusal(400, 'INVALID_REQUEST', message);
