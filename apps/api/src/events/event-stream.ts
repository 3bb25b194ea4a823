/** One reader's stream of events as text/event-stream. Comments keep it open. It ends before it grows old. */
import { once } from 'node:events';
import type { StreamedAnswer } from '../http/exchange.js';

const keepOpenMs = 15_000;
/** When a stream ends, the reader comes back by itself, and its rights are checked again. */
const streamMaxMs = 120_000;
/** A reader that has not read more than this is disconnected. It comes back and names the last event that it saw. */
const unreadMaxBytes = 1024 * 1024;
/** After the end, the reader has this long to read the rest. */
const finishMaxMs = 5_000;

const headers = [
  ['Content-Type', 'text/event-stream; charset=utf-8'],
  ['Cache-Control', 'no-store'],
  // Asks nginx not to buffer the stream.
  ['X-Accel-Buffering', 'no'],
];

export type EventStream = {
  /** The reader names `id` when it comes back. */
  send(id: string, event: { readonly event: string; readonly data: object }): void;
  /** Resolves when the reader has taken most of what was sent, or has gone. */
  taken(): Promise<void>;
  end(): void;
  /** Resolves when the connection is closed. */
  readonly closed: Promise<void>;
};

export function openEventStream({ answer, res, trace }: StreamedAnswer): EventStream {
  trace.isStream = true;
  answer.writeHead(200, headers.flat());
  // An ended response stays open until the browser has read the rest. A write in that time is an error that nobody catches.
  const write = (text: string) => void (res.writableEnded || res.write(text));
  write('retry: 1000\n\n');
  let cutOff: NodeJS.Timeout | undefined;
  const end = () => {
    res.end();
    cutOff ??= setTimeout(() => res.destroy(), finishMaxMs);
  };
  const keepOpen = setInterval(() => write(': still here\n\n'), keepOpenMs);
  const lifetime = setTimeout(end, streamMaxMs);
  const closed = new Promise<void>((resolve) => {
    const stop = () => {
      clearInterval(keepOpen);
      clearTimeout(lifetime);
      clearTimeout(cutOff);
      resolve();
    };
    // The browser may have left before the stream was opened. Node does not emit `close` again.
    if (res.closed) stop();
    else res.once('close', stop);
  });
  return {
    send(id, { event, data }) {
      if (res.writableLength > unreadMaxBytes) return void res.destroy();
      write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    },
    async taken() {
      if (res.writableNeedDrain) await Promise.race([once(res, 'drain').catch(() => undefined), closed]);
    },
    end,
    closed,
  };
}
