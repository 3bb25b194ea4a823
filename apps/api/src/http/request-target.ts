import { isUtf8 } from 'node:buffer';

const ascii = /^[\x20-\x7e]*$/;

/** Restores UTF-8 text. Node reads bytes beyond ASCII as Latin-1, but the client signed UTF-8. */
export function asSent(text: string): string {
  if (ascii.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : text;
}

/** Returns the parameters of the query. If a parameter is repeated, the last one counts. */
export function queryOf(pathAndQuery: string): Record<string, string> {
  const mark = pathAndQuery.indexOf('?');
  return mark === -1 ? {} : Object.fromEntries(new URLSearchParams(asSent(pathAndQuery.slice(mark + 1))));
}
