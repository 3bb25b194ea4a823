/** Serves the files of a build. The build compressed them. A new build needs a new process. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestHandler } from 'express';
import expressStaticGzip from 'express-static-gzip';

/** The reader returns null until the page is built. It reads the page once. */
export function createPageReader(folder: string, name = 'index.html'): () => string | null {
  let page: string | null = null;
  return () => {
    try {
      return (page ??= readFileSync(join(folder, name), 'utf8'));
    } catch {
      // The page is not built yet. The next request tries again.
      return null;
    }
  };
}

const staticOptions = { redirect: false, etag: true, dotfiles: 'ignore' } as const;
export const forEver = { ...staticOptions, immutable: true, maxAge: '1y' } as const;
export const forAWhile = { ...staticOptions, maxAge: '1h' } as const;
/** A browser asks each time whether its copy is still the newest. */
export const forNow = { ...staticOptions, maxAge: 0 } as const;

export type FileOptions = {
  readonly folder: string;
  readonly isBuilt: () => boolean;
  readonly serveStatic: NonNullable<expressStaticGzip.ExpressStaticGzipOptions['serveStatic']>;
};

/** Serves the files once they are built. */
export function serveFiles({ folder, isBuilt, serveStatic }: FileOptions): RequestHandler[] {
  let serve: RequestHandler | null = null;
  const files: RequestHandler = (req, res, next) => {
    if (serve === null && !isBuilt()) return next();
    // It lists the compressed files when it is created.
    serve ??= expressStaticGzip(folder, { enableBrotli: true, orderPreference: ['br'], index: false, serveStatic });
    return serve(req, res, next);
  };
  const missing: RequestHandler = (_req, res, next) => {
    // The file was removed since it was listed. Another handler answers, uncompressed.
    res.removeHeader('Content-Encoding');
    res.removeHeader('Content-Type');
    next();
  };
  return [files, missing];
}
