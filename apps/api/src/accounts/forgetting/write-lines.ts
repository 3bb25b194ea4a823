import { once } from 'node:events';
import type { StreamedAnswer } from '../../http/exchange.js';

/** Writes pages of lines as a file. Memory holds one page, and a slow reader slows the database reads. */
export async function writeLines(
  pages: AsyncIterable<readonly string[]>,
  fileName: string,
  { answer, res }: StreamedAnswer,
  gone: AbortSignal,
): Promise<void> {
  const headers = [
    ['Content-Type', 'application/x-ndjson; charset=utf-8'],
    ['Content-Disposition', `attachment; filename="${fileName}"`],
    ['Cache-Control', 'no-store'],
  ];
  for await (const lines of pages) {
    if (gone.aborted) return;
    // Sent after the first page was read, so that a failure before it still gets an error envelope.
    if (!res.headersSent) answer.writeHead(200, headers.flat());
    const hasRoom = res.write(lines.map((line) => `${line}\n`).join(''));
    if (!hasRoom) await once(res, 'drain', { signal: gone }).catch(() => undefined);
  }
  res.end();
}
