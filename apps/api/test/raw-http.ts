/** Sends raw bytes to a server, for requests that no HTTP client would send. */
import { connect } from 'node:net';

export type RawAnswer = { readonly status: number; readonly headers: string; readonly body: string };

/** Resolves when the server has sent a whole answer or closed the connection. Without an answer, `status` is 0. */
export function sendBytes(url: string, bytes: string | Buffer, waitMs = 5_000): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname);
    const timer = setTimeout(() => socket.destroy(), waitMs);
    const finish = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(parseAnswer(Buffer.concat(chunks).toString('utf8')));
    };
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (isWhole(Buffer.concat(chunks))) finish();
    });
    // The server may close the connection before it has read everything.
    socket.on('error', () => undefined);
    socket.on('close', finish);
    socket.write(bytes);
  });
}

function isWhole(bytes: Buffer): boolean {
  const text = bytes.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  const length = /^content-length: (\d+)/im.exec(text)?.[1];
  return end !== -1 && length !== undefined && bytes.length >= end + 4 + Number(length);
}

function parseAnswer(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const headers = text.slice(0, end === -1 ? text.length : end);
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0),
    headers,
    body: end === -1 ? '' : text.slice(end + 4),
  };
}
