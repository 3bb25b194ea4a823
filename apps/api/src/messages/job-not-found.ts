import { ApiError } from '@kurir/contracts';

/** The job of another account gets the same error. */
export const jobNotFound = () =>
  new ApiError(
    'JOB_NOT_FOUND',
    'The account has no job with this id. Use a job_id that the api returned for a message.',
  );
