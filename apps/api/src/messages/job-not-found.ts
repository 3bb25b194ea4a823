import { ApiError } from '@kurir/contracts';

/** Another account's job gets this, too. */
export const jobNotFound = () =>
  new ApiError('JOB_NOT_FOUND', 'The account has no job of this id. Use a job_id that a send answered.');
