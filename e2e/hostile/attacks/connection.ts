/** A raw connection of an attacker, who may send what no HTTP client would send. */
import { connect } from 'node:net';

export type Ending = {
  /** Everything that the server sent until the connection ended or the attacker stopped waiting. */
  readonly text: string;
  /** Bytes that the connection took. */
  readonly writtenBytes: number;
  readonly wasClosed: boolean;
};

export type Sending = {
  readonly head: string | Buffer;
  /** Sent after the head, as fast as the connection takes it. */
  readonly body?: { readonly chunk: Buffer; readonly bytes: number };
  /** Sent again and again after the head, at this interval. */
  readonly drip?: { readonly text: string; readonly everyMs: number };
  readonly waitMs: number;
  /** Also an answer ends the waiting. */
  readonly untilAnswer?: boolean;
};

export const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));

export function send(baseUrl: string, sending: Sending): Promise<Ending> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    let text = '';
    let left = sending.body?.bytes ?? 0;
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    const drip = sending.drip;
    const dripping = drip === undefined ? undefined : setInterval(() => socket.write(drip.text), drip.everyMs);
    const finish = (wasClosed: boolean) => {
      clearTimeout(timer);
      clearInterval(dripping);
      socket.destroy();
      resolve({ text, writtenBytes: socket.bytesWritten, wasClosed });
    };
    const timer = setTimeout(() => finish(false), sending.waitMs);
    const write = () => {
      while (left > 0 && !socket.destroyed) {
        left -= sending.body?.chunk.length ?? left;
        if (!socket.write(sending.body?.chunk ?? '')) return;
      }
    };
    socket.on('data', (data) => {
      text += data.toString('latin1');
      if (sending.untilAnswer === true) finish(false);
    });
    socket.on('drain', write);
    // An attacker with a body to send goes on after the server has said goodbye.
    socket.once('end', () => {
      if (left <= 0) finish(true);
    });
    // The server may reset the connection of an attacker.
    socket.on('error', () => undefined);
    socket.once('close', () => finish(true));
    socket.write(sending.head);
    write();
  });
}

/** Runs this many at once. */
export function many<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)));
}
