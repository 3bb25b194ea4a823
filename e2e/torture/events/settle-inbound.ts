/** Waits until the devices have acknowledged all that people wrote, or for some time, and returns the record. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AttackedSystem } from '../processes/attacked-system.js';
import { type InboundRecord, readKept, readWritten } from '../records/inbound-record.js';

const settledWithinMs = 60_000;
const everyMs = 1_000;

export async function settleInbound(
  { gateway, servers }: AttackedSystem,
  tell: (waiting: number) => void,
): Promise<InboundRecord> {
  const until = performance.now() + settledWithinMs;
  for (;;) {
    const network = await readWritten(gateway.networkJournal);
    const waiting = network.written.filter(({ isAcknowledged }) => !isAcknowledged).length;
    tell(waiting);
    if (waiting === 0 || performance.now() > until) return { ...network, kept: await readKept(servers.database) };
    await sleep(everyMs);
  }
}
