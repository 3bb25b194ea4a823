import { useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { call } from '../http/call.js';
import { invitationIn, safeNext } from './safe-next.js';

/** Joins the account of an invitation. Returns false if that failed. The page of the invitation then says why. */
async function join(token: string): Promise<boolean> {
  try {
    await call('acceptInvitation', { params: { token } });
    return true;
  } catch {
    return false;
  }
}

/**
 * Call the returned function after the sign-in. It clears the cache and opens the page that the person wanted, or `path`.
 * After the link of an invitation, the person joins first.
 */
export function useEnter(): (path?: string) => Promise<void> {
  const client = useQueryClient();
  const router = useRouter();
  const { next } = useSearch({ strict: false });
  return async (path) => {
    client.clear();
    const token = path === undefined ? invitationIn(next) : null;
    const wanted = token !== null && (await join(token)) ? '/' : (path ?? safeNext(next));
    await router.navigate({ href: `/app${wanted}`, replace: true });
  };
}
