import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { signOut } from '../../http/auth.js';
import { forgetTyped } from '../../session/forget-typed.js';
import { rememberFreshKey } from '../../session/fresh-key.js';

/** Returns a function that signs the person out and forgets what this tab knows. */
export function useSignOut() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    await signOut();
    rememberFreshKey(null);
    forgetTyped();
    await navigate({ to: '/sign-in' });
    client.clear();
  };
}
