import { describe, expect, it } from 'vitest';
import { isConnectFailure, reasonOf } from './network-failure.js';

function systemError(code: string, syscall: string): Error {
  return Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
}

function fetchFailed(cause: unknown): Error {
  return new TypeError('fetch failed', { cause });
}

describe('a request certainly did not arrive', () => {
  it.each([
    ['the connection was refused', systemError('ECONNREFUSED', 'connect')],
    ['the name is unknown', systemError('ENOTFOUND', 'getaddrinfo')],
    ['connecting took too long', Object.assign(new Error('timeout'), { code: 'UND_ERR_CONNECT_TIMEOUT' })],
    [
      'every address of the name refused',
      new AggregateError([systemError('ECONNREFUSED', 'connect'), systemError('ENETUNREACH', 'connect')]),
    ],
  ])('when %s', (_what, cause) => {
    expect(isConnectFailure(fetchFailed(cause))).toBe(true);
  });
});

describe('a request may have arrived', () => {
  it.each([
    ['the connection broke', systemError('ECONNRESET', 'read')],
    ['writing failed', systemError('EPIPE', 'write')],
    ['the other side closed', Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })],
    ['nothing is known about the failure', 'oops'],
    ['a list of failures is empty', new AggregateError([])],
  ])('when %s', (_what, cause) => {
    expect(isConnectFailure(fetchFailed(cause))).toBe(false);
  });
});

it('the reason names each root failure once', () => {
  const refused = systemError('ECONNREFUSED', 'connect');
  expect(reasonOf(fetchFailed(new AggregateError([refused, refused])))).toBe('connect ECONNREFUSED');
  expect(reasonOf('oops')).toBe('oops');
});
