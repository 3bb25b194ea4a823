/** Waits until the devices have acknowledged all that people wrote, or until no more comes, and returns the record. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AttackedSystem } from '../processes/attacked-system.js';
import { type InboundRecord, readKept, readWritten } from '../records/inbound-record.js';

const standstillMs = 30_000;
const everyMs = 1_000;

export async function settleInbound(
  { gateway, servers }: AttackedSystem,
  tell: (waiting: number) => void,
): Promise<InboundRecord> {
  let fewest = Number.POSITIVE_INFINITY;
  let progressAt = performance.now();
  for (;;) {
    const network = await readWritten(gateway.networkJournal);
    const waiting = network.written.filter(({ isAcknowledged }) => !isAcknowledged).length;
    tell(waiting);
    if (waiting < fewest) [fewest, progressAt] = [waiting, performance.now()];
    if (waiting === 0 || performance.now() - progressAt > standstillMs)
      return { ...network, kept: await readKept(servers.database) };
    await sleep(everyMs);
  }
}
