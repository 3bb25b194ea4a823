import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiFailure, isSignedOut } from './api-failure.js';

const maxRetries = 2;

/** A refusal is an answer; only what never arrived, or broke on the way, is asked again. */
const isWorthRetrying = (failure: Error): boolean =>
  failure instanceof ApiFailure && ['OFFLINE', 'SERVICE_UNAVAILABLE', 'UNREADABLE'].includes(failure.code);

/** `onSignedOut` is called when the gateway says that the session is over. */
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
