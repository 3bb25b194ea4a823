/** One browser's stream of events: text/event-stream, kept open by comments, ended before it grows old. */
import type { LiveEvent } from '@kurir/contracts/dashboard';
import type { StreamedAnswer } from '../http/exchange.js';

const keepOpenMs = 15_000;
/** Then the browser comes back by itself, and its session and role are looked at anew. */
const longestMs = 120_000;
/** A reader that is so far behind is let go; it comes back and names the last event that it saw. */
const mostUnreadBytes = 1024 * 1024;
/** What was written before the end may still be read for so long. */
const lastWordsMs = 5_000;

const headers = [
  ['Content-Type', 'text/event-stream; charset=utf-8'],
  ['Cache-Control', 'no-store'],
  // Asks a proxy in front not to gather the stream.
  ['X-Accel-Buffering', 'no'],
];

export type EventStream = {
  /** `id` is what the browser names when it comes back. */
  tell(id: string, event: LiveEvent): void;
  end(): void;
  /** Resolves when the stream is over. */
  readonly over: Promise<void>;
};

export function openEventStream({ answer, res }: StreamedAnswer): EventStream {
  answer.writeHead(200, headers.flat());
  // An ended answer is open until its reader took the rest: writing to it then is an error that nobody catches.
  const write = (text: string) => void (res.writableEnded || res.write(text));
  write('retry: 1000\n\n');
  let lastWords: NodeJS.Timeout | undefined;
  const end = () => {
    res.end();
    lastWords ??= setTimeout(() => res.destroy(), lastWordsMs);
  };
  const beat = setInterval(() => write(': still here\n\n'), keepOpenMs);
  const oldAge = setTimeout(end, longestMs);
  const over = new Promise<void>((resolve) => {
    const stop = () => {
      clearInterval(beat);
      clearTimeout(oldAge);
      clearTimeout(lastWords);
      resolve();
    };
    // The browser may have left before the stream was opened; `close` does not come again.
    if (res.closed) stop();
    else res.once('close', stop);
  });
  return {
    tell(id, { event, data }) {
      if (res.writableLength > mostUnreadBytes) return void res.destroy();
      write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    },
    end,
    over,
  };
}
