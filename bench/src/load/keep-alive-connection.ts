/**
 * An HTTP/1.1 connection that stays open. It writes prepared bytes and waits for the whole answer. It knows nothing of
 * HTTP but Content-Length, so that the generator uses little CPU.
 */
import { once } from 'node:events';
import { connect } from 'node:net';

export type WireAnswer = { readonly status: number; readonly body: string };

export type KeepAliveConnection = {
  /** Sends one request at a time. Rejects when the connection ends. */
  send(request: Buffer): Promise<WireAnswer>;
  close(): void;
};

const endOfHead = '\r\n\r\n';
const statusAt = 'HTTP/1.1 '.length;

/** Returns the answer, or null while a part of it is missing. */
function parseAnswer(bytes: Buffer): WireAnswer | null {
  const headLength = bytes.indexOf(endOfHead);
  if (headLength === -1) return null;
  const head = bytes.toString('latin1', 0, headLength);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`an answer without Content-Length:\n${head}`);
  const bodyAt = headLength + endOfHead.length;
  if (bytes.length < bodyAt + Number(length)) return null;
  return { status: Number(head.slice(statusAt, statusAt + 3)), body: bytes.toString('utf8', bodyAt) };
}

export async function openConnection(port: number): Promise<KeepAliveConnection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  let received = Buffer.alloc(0);
  let waiting: { resolve: (answer: WireAnswer) => void; reject: (error: Error) => void } | null = null;

  socket.on('data', (chunk: Buffer<ArrayBuffer>) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const answer = parseAnswer(received);
    if (answer === null) return;
    received = Buffer.alloc(0);
    waiting?.resolve(answer);
  });
  socket.on('error', () => {}); // `close` follows
  socket.on('close', () => waiting?.reject(new Error('the server closed the connection')));

  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(request);
      }),
    close: () => void socket.destroy(),
  };
}
