/** A fake worker with simulated phones. It links and unlinks devices as the api sees it. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DeviceId } from '@kurir/contracts';
import {
  type Database,
  type LeaseToken,
  readIntents,
  writeDeviceState,
  writeLinked,
  writePairingCode,
  writeUnlinked,
} from '@kurir/database';

export type FakeWorker = {
  readonly simulatorUrl: string;
  /** The path of each request to the phones. */
  readonly scans: readonly string[];
  close(): Promise<void>;
};

const owner = 'wrk_fake';
const everyMs = 50;

export async function startFakeWorker(database: Database): Promise<FakeWorker> {
  const scans: string[] = [];
  const holders = new Map<string, LeaseToken>();

  async function serve(holder: LeaseToken): Promise<void> {
    const [intent] = await readIntents(database, [holder.deviceId]);
    if (intent === undefined) return;
    if (intent.desiredState === 'unlinked' && intent.linked)
      await writeUnlinked(database, holder, 'disconnected', null);
    if (intent.desiredState === 'linked' && !intent.linked)
      await writePairingCode(database, holder, `code-${holder.deviceId}`, new Date(Date.now() + 60_000));
  }

  async function tick(): Promise<void> {
    const { rows } = await database.pool.query<{ device_id: DeviceId; epoch: bigint }>(
      `UPDATE device_leases SET owner = $1, epoch = epoch + 1, expires_at = now() + interval '1 hour'
       WHERE owner IS NULL OR expires_at < now() RETURNING device_id, epoch`,
      [owner],
    );
    for (const { device_id: deviceId, epoch } of rows) holders.set(deviceId, { deviceId, owner, epoch });
    for (const holder of holders.values()) await serve(holder);
  }

  async function link(path: string, body: string): Promise<boolean> {
    scans.push(path);
    const { code } = JSON.parse(body) as { code: string };
    const holder = holders.get(code.replace('code-', ''));
    // The first scan of every phone finds a code that is no longer valid.
    if (holder === undefined || scans.filter((scan) => scan === path).length === 1) return false;
    await writeLinked(database, holder, path.split('/')[2] ?? '');
    await writeDeviceState(database, holder, 'connected', null);
    return true;
  }

  const server: Server = createServer((req, res) => {
    let body = '';
    req.on('data', (chunk) => (body += String(chunk)));
    req.on('end', () => {
      void link(req.url ?? '', body).then((linked) => res.writeHead(linked ? 200 : 404).end('{}'));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const closing = new AbortController();
  const running = (async () => {
    while (!closing.signal.aborted) {
      await tick();
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  })();

  return {
    // A listening TCP server has an address object.
    simulatorUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    scans,
    async close() {
      closing.abort();
      await running;
      server.close();
      server.closeAllConnections();
    },
  };
}
