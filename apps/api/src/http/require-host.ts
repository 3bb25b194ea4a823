import type { IncomingMessage } from 'node:http';
import { ApiError } from '@kurir/contracts';
import type { RequestHandler } from 'express';

/** HTTP/1.1 requires the header Host. The api checks it instead of Node, so that the refusal has our envelope. */
export function checkHost(req: IncomingMessage): void {
  if (req.httpVersion === '1.1' && req.headers.host === undefined)
    throw new ApiError('MALFORMED_REQUEST', 'The header Host is missing. Send it with every request.');
}

/** The same as a handler of Express. */
export const requireHost: RequestHandler = (req, _res, next) => {
  checkHost(req);
  next();
};
