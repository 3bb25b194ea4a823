/** While a reader waits, sessions end and members leave. The signal `callerGone` tells that a key was revoked. */
import { ApiError } from '@kurir/contracts';
import { readStandingWatchers } from '@kurir/database';
import type { Api } from '../operations/api.js';
import type { Caller } from '../operations/caller.js';
import { sessionMaxSeconds } from '../sign-in/guards/session-age.js';

/** Rejects if the caller may not read the account's events any more. */
export async function mayStillRead({ database, now }: Api, caller: Caller, gone: AbortSignal): Promise<void> {
  if (gone.reason instanceof ApiError) throw gone.reason;
  if (caller.by === 'key') return;
  const { session, membership } = caller.visitor;
  const times = { at: new Date(now()), bornAfter: new Date(now() - sessionMaxSeconds * 1_000) };
  const standing = await readStandingWatchers(database, [session.id], times);
  if (standing.some(({ accountId }) => accountId === membership.accountId)) return;
  throw new ApiError('SESSION_REQUIRED', 'Your session has ended. Sign in again.');
}
