import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiFailure, isSignedOut } from './api-failure.js';

const maxRetries = 2;

/** A refusal is final. Retry only if no answer came, or an unreadable one, or the gateway was unavailable. */
const isWorthRetrying = (failure: Error): boolean =>
  failure instanceof ApiFailure && ['OFFLINE', 'SERVICE_UNAVAILABLE', 'UNREADABLE'].includes(failure.code);

/** Another request may have just replaced the session. Then the browser has the new cookie a moment later. */
const isReplaced = (failure: Error, count: number): boolean => isSignedOut(failure) && count === 0;

const replacedDelayMs = 150;
const retryDelayMs = (count: number, failure: Error) =>
  isSignedOut(failure) ? replacedDelayMs : Math.min(1_000 * 2 ** count, 30_000);

/** Calls `onSignedOut` when the gateway says that the session is over. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (failure, { meta }) => {
        if (meta?.['signedOutIsFine'] === true) return;
        if (isSignedOut(failure)) onSignedOut();
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 20_000,
        retry: (count, failure) => (count < maxRetries && isWorthRetrying(failure)) || isReplaced(failure, count),
        retryDelay: retryDelayMs,
      },
      mutations: { retry: false },
    },
  });
}
