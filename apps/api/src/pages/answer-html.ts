import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/** Returns the Content-Security-Policy source of an inline style. */
export function hashSource(content: string): string {
  return `'sha256-${createHash('sha256').update(content, 'utf8').digest('base64')}'`;
}

/** The policy of a page that has one inline style and nothing else. */
export const stylePolicy = (style: string): readonly string[] => [
  "default-src 'none'",
  `style-src ${hashSource(style)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

export type HtmlOptions = {
  readonly status?: number;
  readonly html: string;
  /** The directives of the Content-Security-Policy. */
  readonly policy: readonly string[];
};

export function answerHtml(res: ServerResponse, { status = 200, html, policy }: HtmlOptions): void {
  res.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(html),
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policy.join('; '),
    // With `no-referrer`, browsers would hide the Origin when they post a form.
    'Referrer-Policy': 'same-origin',
  });
  res.end(html);
}
