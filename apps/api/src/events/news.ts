/** Requests that wait for a next event of their account. The reader of the log wakes them. */
import type { AccountId } from '@kurir/contracts';

export type News = {
  /** Resolves at the next event of the account, when `signal` is aborted, or after `ms`. */
  wait(accountId: AccountId, ms: number, signal: AbortSignal): Promise<void>;
  wake(accountId: AccountId): void;
  readonly accountIds: readonly AccountId[];
};

function alarm() {
  let wake = () => {};
  const promise = new Promise<void>((resolve) => {
    wake = resolve;
  });
  return { promise, wake };
}

export function createNews(): News {
  const waiting = new Map<AccountId, Set<() => void>>();

  function forget(accountId: AccountId, wake: () => void): void {
    const wakers = waiting.get(accountId);
    wakers?.delete(wake);
    if (wakers?.size === 0) waiting.delete(accountId);
  }

  return {
    async wait(accountId, ms, signal) {
      const { promise, wake } = alarm();
      waiting.set(accountId, (waiting.get(accountId) ?? new Set()).add(wake));
      const timer = setTimeout(wake, ms);
      signal.addEventListener('abort', wake);
      if (signal.aborted) wake();
      await promise;
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      forget(accountId, wake);
    },
    wake(accountId) {
      for (const wake of waiting.get(accountId) ?? []) wake();
    },
    get accountIds() {
      return [...waiting.keys()];
    },
  };
}
