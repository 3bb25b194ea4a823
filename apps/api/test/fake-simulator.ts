/** A fake of the simulated network's HTTP interface. Tests fill the inboxes of its phones. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export type FakeMessage = {
  readonly network_message_id: string;
  readonly from: string;
  readonly text: string;
  readonly received_at: string;
};

export type FakeSimulator = {
  readonly url: string;
  /** The inbox of each phone, by its number. */
  readonly inboxes: Map<string, FakeMessage[]>;
  readonly typing: Map<string, string[]>;
  /** The codes that phones used, as `number how code`. */
  readonly used: string[];
  /** The messages that phones wrote, as `number to text`. */
  readonly written: string[];
  close(): Promise<void>;
};

async function readJson(req: IncomingMessage): Promise<Record<string, string>> {
  let text = '';
  for await (const chunk of req) text += String(chunk);
  return text === '' ? {} : (JSON.parse(text) as Record<string, string>);
}

export async function startFakeSimulator(): Promise<FakeSimulator> {
  const [inboxes, typing] = [new Map<string, FakeMessage[]>(), new Map<string, string[]>()];
  const [used, written]: [string[], string[]] = [[], []];

  async function answer(req: IncomingMessage): Promise<object | null> {
    const [, , number = '', what = ''] = new URL(req.url ?? '', 'http://x').pathname.split('/');
    const body = await readJson(req);
    if (what === 'inbox') return inboxes.get(number) ?? [];
    if (what === 'typing') return { typing_now: typing.get(number) ?? [], signals: [] };
    if (what === 'scan' || what === 'pair') {
      used.push(`${number} ${what} ${body['code']}`);
      return { device_id: 'dev_x' };
    }
    if (what !== 'messages') return null;
    written.push(`${number} ${body['to']} ${body['text']}`);
    return { network_message_id: `SIM${written.length}` };
  }

  const server = createServer((req, res) => {
    void answer(req).then((body) => res.writeHead(body === null ? 404 : 200).end(JSON.stringify(body ?? {})));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server has an address object.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    inboxes,
    typing,
    used,
    written,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close').catch(() => undefined);
    },
  };
}
