import type { DashboardData } from '@kurir/contracts/dashboard';
import type { InfiniteData } from '@tanstack/react-query';

export type Job = DashboardData<'listMessages'>['messages'][number];
export type Pages = InfiniteData<DashboardData<'listMessages'>>;

/** The list with the job as it is now, or the same list when it does not show the job. */
export function replaceMessage(pages: Pages | undefined, job: Job): Pages | undefined {
  if (pages === undefined || !pages.pages.some(({ messages }) => messages.some((row) => row.job_id === job.job_id)))
    return pages;
  const update = (row: Job): Job => (row.job_id === job.job_id ? { ...row, ...job } : row);
  return { ...pages, pages: pages.pages.map((page) => ({ ...page, messages: page.messages.map(update) })) };
}
