/** Requests that two programs may read as different numbers of requests. Each hides a second one. */

const hidden = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n';
const post = (headers: string, body = `0\r\n\r\n${hidden}`) =>
  `POST /api/v1/messages/send HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`;

export const smuggledRequests: Readonly<Record<string, string>> = {
  'length and chunks': post('Content-Length: 5\r\nTransfer-Encoding: chunked'),
  'chunks and length': post('Transfer-Encoding: chunked\r\nContent-Length: 5'),
  'two lengths': post('Content-Length: 0\r\nContent-Length: 5', hidden),
  'a list of lengths': post('Content-Length: 0, 5', hidden),
  'a length with a sign': post('Content-Length: +0', hidden),
  'a length in hexadecimal': post('Content-Length: 0x0', hidden),
  'a negative length': post('Content-Length: -1', hidden),
  'a length that overflows': post('Content-Length: 18446744073709551616', hidden),
  'a folded encoding': post('Transfer-Encoding:\r\n chunked'),
  'a folded length': post('Content-Length:\r\n 0', hidden),
  'a space before the colon': post('Transfer-Encoding : chunked'),
  'an encoding after chunked': post('Transfer-Encoding: chunked, identity'),
  'an unknown encoding': post('Transfer-Encoding: xchunked'),
  'two encodings': post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity'),
  'a line that ends with LF': post('X-A: b\nTransfer-Encoding: chunked'),
  'a line that ends with CR': post('X-A: b\rTransfer-Encoding: chunked'),
  'a NUL in a value': post('X-A: b\0c\r\nTransfer-Encoding: chunked'),
  'a chunk size with a prefix': post('Transfer-Encoding: chunked', `0x0\r\n\r\n${hidden}`),
  'a negative chunk size': post('Transfer-Encoding: chunked', `-1\r\n\r\n${hidden}`),
  'a chunk size that overflows': post('Transfer-Encoding: chunked', `ffffffffffffffff1\r\n${hidden}`),
  'a chunk that ends with LF': post('Transfer-Encoding: chunked', `1\na\n0\n\n${hidden}`),
  'a chunk extension with LF': post('Transfer-Encoding: chunked', `1;a\nb\r\nc\r\n0\r\n\r\n${hidden}`),
  'the greeting of HTTP/2': `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${hidden}`,
  'HTTP/0.9': `GET /\r\n${hidden}`,
};
