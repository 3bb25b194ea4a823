/** The identity that a handler sees, whether a key or a person sent the request. */
import type { AccountId } from '@kurir/contracts';

export type CallerIdentity<Id> = {
  readonly accountId: AccountId;
  /** The country of the account: numbers without a country code belong to it. */
  readonly country: string;
  /** The id of the key or person. It is stored with each change that the caller makes. */
  readonly actor: Id;
  /** Two requests with the same bytes are the same request, sent again. */
  readonly repeatKey: Buffer;
};
