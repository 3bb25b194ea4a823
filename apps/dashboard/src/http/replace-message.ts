import type { DashboardData } from '@kurir/contracts/dashboard';
import type { InfiniteData } from '@tanstack/react-query';

export type Message = DashboardData<'listMessages'>['messages'][number];
export type MessagePages = InfiniteData<DashboardData<'listMessages'>>;

/** Returns the list with the new state of the message, or the same list if it does not contain the message. */
export function replaceMessage(pages: MessagePages | undefined, message: Message): MessagePages | undefined {
  if (pages === undefined || !pages.pages.some(({ messages }) => messages.some((row) => row.job_id === message.job_id)))
    return pages;
  const update = (row: Message): Message => (row.job_id === message.job_id ? { ...row, ...message } : row);
  return { ...pages, pages: pages.pages.map((page) => ({ ...page, messages: page.messages.map(update) })) };
}
