import { useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { safeNext } from './safe-next.js';

/** After signing in: forget what was read before, and go where the person was on the way to. */
export function useEnter(): () => Promise<void> {
  const client = useQueryClient();
  const router = useRouter();
  const { next } = useSearch({ strict: false });
  return async () => {
    client.clear();
    await router.navigate({ href: `/app${safeNext(next)}`, replace: true });
  };
}
