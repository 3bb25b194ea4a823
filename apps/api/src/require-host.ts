import { ApiError } from '@kurir/contracts';
import type { RequestHandler } from 'express';

/** HTTP/1.1 requires it; checked here and not by Node, so that the refusal is our envelope. */
export const requireHost: RequestHandler = (req, _res, next) => {
  if (req.httpVersion === '1.1' && req.headers.host === undefined)
    throw new ApiError('MALFORMED_REQUEST', 'The header Host is missing.');
  next();
};
