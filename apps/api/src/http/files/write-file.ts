import { once } from 'node:events';
import type { StreamedAnswer } from '../exchange.js';

export type FileHead = {
  readonly type: 'text/csv' | 'application/x-ndjson' | 'application/pdf';
  readonly name: string;
};

/** Writes pages as a file. Memory holds one page, and a slow reader slows the database reads. */
export async function writeFile(
  pages: AsyncIterable<string | Uint8Array>,
  { type, name }: FileHead,
  { answer, res }: StreamedAnswer,
  gone: AbortSignal,
): Promise<void> {
  const headers = [
    ['Content-Type', type === 'application/pdf' ? type : `${type}; charset=utf-8`],
    ['Content-Disposition', `attachment; filename="${name}"`],
    ['Cache-Control', 'no-store'],
  ];
  for await (const page of pages) {
    if (gone.aborted) break;
    // Sent after the first page was read, so that a failure before it still gets an error envelope.
    if (!res.headersSent) answer.writeHead(200, headers.flat());
    const hasRoom = res.write(page);
    if (!hasRoom) await once(res, 'drain', { signal: gone }).catch(() => undefined);
  }
  res.end();
}
