/** Makes requests that are almost right: a seed decides which bytes of a good one change. */
import type { Random } from '../../torture/plan/random.js';

const good: readonly Buffer[] = [
  'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'POST /api/v1/messages/send HTTP/1.1\r\nHost: x\r\nX-API-Key: kk_live_a\r\nX-Timestamp: 1764000000\r\nX-Signature: 00\r\nX-Device-Id: dev_a\r\nContent-Type: application/json\r\nContent-Length: 16\r\n\r\n{"message": "a"}',
  'POST /app/api/auth/sign-in/email HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n{"email": "a@b"}\r\n0\r\n\r\n',
  'GET /app/api/messages.csv?status=sent&cursor=%7B%7D HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: a=b; c=d\r\nRange: bytes=0-1\r\n\r\n',
  'GET /pay/abc%2F..%2F HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n',
].map((text) => Buffer.from(text, 'latin1'));

const odd = ['\0', '\r', '\n', '\r\n', '\r\n\r\n', ' ', '\t', ':', '%00', '%', '/../', '//', '\xff', '{', '['];

/** One change, anywhere in the bytes. */
function change(bytes: Buffer, random: Random): Buffer {
  const at = random.whole(0, bytes.length);
  const end = Math.min(bytes.length, at + random.whole(0, 12));
  const [head, cut, tail] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
  switch (random.whole(0, 3)) {
    case 0:
      return Buffer.concat([head, tail]);
    case 1:
      return Buffer.concat([head, cut, cut, tail]);
    case 2:
      return Buffer.concat([head, Buffer.from(random.pick(odd), 'latin1'), cut, tail]);
    default:
      return Buffer.concat([head, Buffer.from([random.whole(0, 255)]), tail]);
  }
}

export function mutateRequest(random: Random): Buffer {
  let bytes: Buffer = random.pick(good);
  for (let changes = random.whole(1, 5); changes > 0; changes--) bytes = change(bytes, random);
  return bytes;
}
