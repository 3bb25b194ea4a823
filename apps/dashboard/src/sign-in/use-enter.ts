import { useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { safeNext } from './safe-next.js';

/** Call the returned function after the sign-in. It clears the cache and opens the page that the person wanted. */
export function useEnter(): () => Promise<void> {
  const client = useQueryClient();
  const router = useRouter();
  const { next } = useSearch({ strict: false });
  return async () => {
    client.clear();
    await router.navigate({ href: `/app${safeNext(next)}`, replace: true });
  };
}
