import { ApiError } from '@kurir/contracts';
import type { RequestHandler } from 'express';

export const answerNotFound: RequestHandler = () => {
  throw new ApiError(
    'NOT_FOUND',
    'There is nothing at this path. See /docs for all paths. A path must match exactly, without a slash at the end.',
  );
};
