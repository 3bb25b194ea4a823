import { isUtf8 } from 'node:buffer';

const ascii = /^[\x20-\x7e]*$/;

/** Node reads bytes beyond ASCII as Latin-1; a client that sent UTF-8 signed UTF-8. */
export function asSent(text: string): string {
  if (ascii.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : text;
}

/** The query's parameters, of a path and query as they were sent; of a repeated one the last. */
export function queryOf(pathAndQuery: string): Record<string, string> {
  const mark = pathAndQuery.indexOf('?');
  return mark === -1 ? {} : Object.fromEntries(new URLSearchParams(asSent(pathAndQuery.slice(mark + 1))));
}
