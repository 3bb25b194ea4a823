import { ApiError } from '@kurir/contracts';
import type { Caller } from '../operations/caller.js';

/** An agent writes in conversations only, never to a number. Throws 403. */
export function requireOwnChat(caller: Caller, conversationId: string | undefined): void {
  if (caller.by !== 'person' || caller.visitor.membership.role !== 'agent' || conversationId !== undefined) return;
  throw new ApiError('ROLE_NOT_ALLOWED', 'Your role only answers in conversations. Send conversation_id.');
}
