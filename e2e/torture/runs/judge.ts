/** After the attack: waits until everything works again and every message is final, then compares the three records. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Comparison, compare } from '../checks/compare.js';
import type { Load } from '../client/load.js';
import type { AttackedSystem } from '../processes/attacked-system.js';
import type { ClientRecord } from '../records/client-record.js';
import { readDatabaseRecord } from '../records/database-record.js';
import { readNetworkRecord } from '../records/network-record.js';
import type { Records } from '../records/records.js';
import { settle } from './settle.js';

export type Judgement = Comparison & { readonly settleSeconds: number };

const verdictStandstillMs = 60_000;
const everyMs = 500;

/** Stops the load. Resolves when every message has its verdict, or when no message has got one for a long time. */
export async function untilDecided(load: Load): Promise<void> {
  const stopped = load.stop().then(() => 'stopped' as const);
  let fewest = Number.POSITIVE_INFINITY;
  let since = performance.now();
  while ((await Promise.race([stopped, sleep(everyMs)])) !== 'stopped') {
    if (load.open < fewest) [fewest, since] = [load.open, performance.now()];
    if (performance.now() - since > verdictStandstillMs) return;
  }
}

async function untilAllWork({ servers, gateway }: AttackedSystem): Promise<void> {
  const programs = [servers.postgres, servers.redis, ...gateway.apis, ...gateway.workers.map(({ program }) => program)];
  await Promise.all(programs.map((program) => program.untilReady()));
}

async function readRecords(record: ClientRecord, { accounts, gateway, servers }: AttackedSystem): Promise<Records> {
  return {
    client: record.byRef,
    database: await readDatabaseRecord(servers.database),
    network: await readNetworkRecord(gateway.networkJournal),
    accountIds: accounts.map((account) => account.accountId),
    deviceIds: accounts.map((account) => account.deviceIds),
  };
}

export async function judge(
  system: AttackedSystem,
  record: ClientRecord,
  tell: (text: string) => void,
): Promise<Judgement> {
  await untilAllWork(system);
  const settleSeconds = await settle(system.servers.database, ({ total, unreported }) =>
    tell(`${total} messages to finish, ${unreported} receipts to come`),
  );
  return { ...compare(await readRecords(record, system)), settleSeconds };
}
