import { ApiError } from '@kurir/contracts';

/** The job of another account gets the same error. */
export const jobNotFound = () =>
  new ApiError('JOB_NOT_FOUND', 'The account has no job of this id. Use a job_id that a send answered.');
