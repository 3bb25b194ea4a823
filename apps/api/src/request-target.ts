import { isUtf8 } from 'node:buffer';
import type { Request } from 'express';

const ascii = /^[\x20-\x7e]*$/;

/** Node reads bytes beyond ASCII as Latin-1; a client that sent UTF-8 signed UTF-8. */
export function asSent(text: string): string {
  if (ascii.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : text;
}

/** Path and query exactly as sent: never sorted, decoded or slash-fixed. */
export function targetOf(req: Request): string {
  return asSent(req.originalUrl);
}

/** The query's parameters; of a repeated one the last. */
export function queryOf(req: Request): Record<string, string> {
  const mark = req.originalUrl.indexOf('?');
  return mark === -1 ? {} : Object.fromEntries(new URLSearchParams(asSent(req.originalUrl.slice(mark + 1))));
}
