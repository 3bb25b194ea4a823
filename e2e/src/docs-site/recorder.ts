/** A server that notes the requests of samples. It reports success to each. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Recorded = {
  readonly method: string;
  readonly target: string;
  readonly body: unknown;
  readonly version: string;
};

export type Recorder = {
  readonly url: string;
  /** Returns what came since the last call. */
  take(): Recorded[];
  stop(): Promise<void>;
};

export async function startRecorder(): Promise<Recorder> {
  let recorded: Recorded[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const version = String(req.headers['x-signature-version'] ?? '');
      recorded.push({
        method: req.method ?? '',
        target: req.url ?? '',
        body: text === '' ? null : JSON.parse(text),
        version,
      });
      const isFile = /\.csv\b|\/export\b/.test(req.url ?? '');
      res.writeHead(200, { 'Content-Type': isFile ? 'text/csv; charset=utf-8' : 'application/json' });
      res.end(isFile ? 'phone,name\r\n' : JSON.stringify({ success: true, message: 'Done', data: {} }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take() {
      const taken = recorded;
      recorded = [];
      return taken;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
