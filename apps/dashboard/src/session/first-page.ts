import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { meQuery } from './me.js';

/** Leads an agent, who may not see the overview, to the conversations. */
export async function toFirstPage({ context }: { context: { client: QueryClient } }): Promise<void> {
  const { account } = await context.client.ensureQueryData(meQuery);
  // The router expects a thrown redirect, which is not an Error.
  // oxlint-disable-next-line typescript/only-throw-error
  if (account.role === 'agent') throw redirect({ to: '/conversations' });
}
