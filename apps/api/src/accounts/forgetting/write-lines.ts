import type { StreamedAnswer } from '../../http/exchange.js';
import { writeFile } from '../../http/files/write-file.js';

async function* texts(pages: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  for await (const lines of pages) yield lines.map((line) => `${line}\n`).join('');
}

/** Writes pages of lines as a file. */
export const writeLines = (
  pages: AsyncIterable<readonly string[]>,
  name: string,
  streamed: StreamedAnswer,
  gone: AbortSignal,
): Promise<void> => writeFile(texts(pages), { type: 'application/x-ndjson', name }, streamed, gone);
