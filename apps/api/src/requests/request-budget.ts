/**
 * Limits the rows that the requests of a key may leave in one minute, so that no flood fills the disk. Successes, refusals and
 * requests with a wrong signature have limits of their own. So a sender who only knows the id of a key crowds out nothing.
 */
import { type AccountId, type ApiKeyId, limits } from '@kurir/contracts';

export type KeyOfRequest = { readonly id: ApiKeyId; readonly accountId: AccountId };

/** `unsigned`: the sender did not prove that it has the key. */
export type RequestKind = 'accepted' | 'refused' | 'unsigned';

/** So many requests of a key have no row. `at` is the end of their minute, in Unix milliseconds. */
export type Counted = { readonly key: KeyOfRequest; readonly notRecorded: number; readonly at: number };

export type RequestBudget = {
  /** Returns whether the request may have a row. */
  take(key: KeyOfRequest, kind: RequestKind): boolean;
  /** After the end of a minute, begins a new one. Returns the keys that had more requests than rows. */
  beginMinute(): Counted[];
};

const minuteMs = 60_000;

const mostOfKey: Readonly<Record<RequestKind, number>> = {
  accepted: limits.requestLogPerMinute,
  refused: limits.requestLogPerMinute,
  unsigned: limits.requestLogUnsignedPerMinute,
};

const mostOfAccount = {
  signed: limits.requestLogAccountPerMinute,
  unsigned: limits.requestLogAccountUnsignedPerMinute,
} as const;

type KeyTally = { readonly key: KeyOfRequest; notRecorded: number } & Record<RequestKind, number>;
type AccountTally = Record<keyof typeof mostOfAccount, number>;

export function createRequestBudget(now: () => number): RequestBudget {
  const keys = new Map<ApiKeyId, KeyTally>();
  const accounts = new Map<AccountId, AccountTally>();
  const minuteNow = () => Math.floor(now() / minuteMs);
  let minute = minuteNow();

  function talliesOf(key: KeyOfRequest): [KeyTally, AccountTally] {
    const ofKey = keys.get(key.id) ?? { key, notRecorded: 0, accepted: 0, refused: 0, unsigned: 0 };
    const ofAccount = accounts.get(key.accountId) ?? { signed: 0, unsigned: 0 };
    keys.set(key.id, ofKey);
    accounts.set(key.accountId, ofAccount);
    return [ofKey, ofAccount];
  }

  return {
    take(key, kind) {
      const [ofKey, ofAccount] = talliesOf(key);
      const side = kind === 'unsigned' ? 'unsigned' : 'signed';
      if (ofKey[kind] >= mostOfKey[kind] || ofAccount[side] >= mostOfAccount[side]) {
        ofKey.notRecorded += 1;
        return false;
      }
      ofKey[kind] += 1;
      ofAccount[side] += 1;
      return true;
    },
    beginMinute() {
      if (minuteNow() === minute) return [];
      const at = (minute + 1) * minuteMs - 1;
      minute = minuteNow();
      const counted = [...keys.values()]
        .filter(({ notRecorded }) => notRecorded > 0)
        .map(({ key, notRecorded }) => ({ key, notRecorded, at }));
      keys.clear();
      accounts.clear();
      return counted;
    },
  };
}
