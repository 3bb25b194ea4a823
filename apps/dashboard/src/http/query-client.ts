import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiFailure, isSignedOut } from './api-failure.js';

const maxRetries = 2;

/** A refusal is final. Retry only if no answer came, or an unreadable one, or the gateway was unavailable. */
const isWorthRetrying = (failure: Error): boolean =>
  failure instanceof ApiFailure && ['OFFLINE', 'SERVICE_UNAVAILABLE', 'UNREADABLE'].includes(failure.code);

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
        retry: (count, failure) => count < maxRetries && isWorthRetrying(failure),
      },
      mutations: { retry: false },
    },
  });
}
