/**
 * Node gives a request that is not valid HTTP to no handler. This writes the error envelope to the socket itself, if an
 * answer is still possible.
 */
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError, newId } from '@kurir/contracts';
import type { Logger } from '@kurir/logging';
import { errorEnvelope } from '../http/answer.js';
import { linger } from './linger.js';

type ParseError = Error & { readonly code?: string };

const sentences: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The headers or the address are too long. Shorten them.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive completely in time. Send it again.',
};

function rawAnswer(error: ApiError, requestId: string): string {
  const body = JSON.stringify(errorEnvelope(error));
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? 'Bad Request'}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

export function answerBrokenRequests(server: Server, logger: Logger): void {
  /** The last response of each connection. A closed response has been sent. */
  const answering = new WeakMap<Socket, ServerResponse>();
  server.prependListener('request', (req, res) => answering.set(req.socket, res));

  server.on('clientError', (failure: ParseError, socket: Socket) => {
    const last = answering.get(socket);
    const begun = last?.headersSent === true && !last.closed;
    if (!socket.writable || begun || failure.code === 'ECONNRESET') return void socket.destroy();
    const requestId = newId('req');
    const reason = failure.code ?? 'unknown';
    const error = new ApiError(
      reason === 'HPE_HEADER_OVERFLOW' ? 'HEADERS_TOO_LARGE' : 'MALFORMED_REQUEST',
      sentences[reason] ?? 'The request is not valid HTTP. Check the program that sent it.',
    );
    logger.info({ requestId, status: error.status, code: error.code, reason }, 'request could not be read');
    socket.write(rawAnswer(error, requestId));
    linger(socket);
  });
}
