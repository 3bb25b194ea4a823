import { useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';

/** Only a path of this dashboard: a link from elsewhere must not lead on to another site. */
export const safeNext = (next: unknown): string => (typeof next === 'string' && /^\/(?!\/|\\)/.test(next) ? next : '/');

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
