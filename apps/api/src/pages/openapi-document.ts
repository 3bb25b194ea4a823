/** Serves the OpenAPI document, compressed if the reader understands that. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { openApiDocument } from '@kurir/contracts/openapi';
import type { Express, Request } from 'express';
import type { Ground } from '../http/ground.js';
import { addRoute } from '../http/route.js';

/** The highest level takes many times as long and saves little. */
const brotliLevel = 6;

const encodings = {
  br: (text: string) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliLevel } }),
  gzip: (text: string) => gzipSync(text),
  identity: (text: string) => Buffer.from(text),
} as const;

type Encoding = keyof typeof encodings;

const encodingFor = (req: Request): Encoding => {
  const accepted = req.acceptsEncodings(['br', 'gzip', 'identity']);
  return accepted === 'br' || accepted === 'gzip' ? accepted : 'identity';
};

export function addOpenApiRoute(app: Express, { addresses }: Ground): void {
  let text: string | null = null;
  const bodies = new Map<Encoding, Buffer>();
  /** The document stays the same as long as the process runs. */
  const bodyIn = (encoding: Encoding): Buffer => {
    text ??= JSON.stringify(openApiDocument(addresses.publicUrl()));
    const body = bodies.get(encoding) ?? encodings[encoding](text);
    bodies.set(encoding, body);
    return body;
  };

  addRoute(app, '/openapi.json', {
    GET: (req, res) => {
      const encoding = encodingFor(req);
      const body = bodyIn(encoding);
      res.writeHead(200, {
        'Content-Type': 'application/json; charset=utf-8',
        ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
        Vary: 'Accept-Encoding',
        'Content-Length': body.length,
        'Cache-Control': 'public, max-age=3600',
      });
      res.end(body);
    },
  });
}
