import type { IncomingMessage } from 'node:http';
import { ApiError } from '@kurir/contracts';
import type { RequestHandler } from 'express';

/** HTTP/1.1 requires it; checked here and not by Node, so that the refusal is our envelope. */
export function checkHost(req: IncomingMessage): void {
  if (req.httpVersion === '1.1' && req.headers.host === undefined)
    throw new ApiError('MALFORMED_REQUEST', 'The header Host is missing.');
}

/** The same for what Express serves. */
export const requireHost: RequestHandler = (req, _res, next) => {
  checkHost(req);
  next();
};
