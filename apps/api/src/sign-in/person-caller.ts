import type { UserId } from '@kurir/contracts';
import type { CallerIdentity } from '../http/callers/caller-identity.js';
import type { Visitor } from './visitor.js';

export type PersonCaller = CallerIdentity<UserId> & {
  readonly by: 'person';
  readonly visitor: Visitor;
  /** The headers of the request as better-auth reads them, for operations that change the session. */
  readonly headers: Headers;
};
