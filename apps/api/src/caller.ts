/** Who asks: a key by its signature, or a person by the cookie of a session. */
import type { AccountId, ApiKeyId, UserId } from '@kurir/contracts';
import type { Visitor } from './dashboard/visitor.js';

type Asking<Id> = {
  readonly accountId: AccountId;
  /** The id of the key or person: stored with what the caller does. */
  readonly actor: Id;
  /** What a repeat of the request is recognised by. */
  readonly repeatKey: Buffer;
};

export type KeyCaller = Asking<ApiKeyId> & { readonly by: 'key'; readonly secretVersion: number };

export type PersonCaller = Asking<UserId> & {
  readonly by: 'person';
  readonly visitor: Visitor;
  /** The request's headers as better-auth reads them, for what concerns the session itself. */
  readonly headers: Headers;
};

export type Caller = KeyCaller | PersonCaller;
