/** After the attack: everything works again, everything becomes final, and the three records are laid side by side. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Records } from './checks/records.js';
import type { ClientRecord } from './client-record.js';
import { type Comparison, compare } from './compare.js';
import { readDatabaseRecord } from './database-record.js';
import type { Load } from './load.js';
import { readNetworkRecord } from './network-record.js';
import { settle } from './settle.js';
import type { Stack } from './stack.js';

export type Judgement = Comparison & { readonly settleSeconds: number };

const verdictStandstillMs = 60_000;
const everyMs = 500;

/** The client asks no more; every message has its verdict, or none has got one for so long that none will. */
export async function untilDecided(load: Load): Promise<void> {
  const stopped = load.stop().then(() => 'stopped' as const);
  let fewest = Number.POSITIVE_INFINITY;
  let since = performance.now();
  while ((await Promise.race([stopped, sleep(everyMs)])) !== 'stopped') {
    if (load.open < fewest) [fewest, since] = [load.open, performance.now()];
    if (performance.now() - since > verdictStandstillMs) return;
  }
}

async function untilAllWork({ servers, product }: Stack): Promise<void> {
  const programs = [servers.postgres, servers.redis, ...product.apis, ...product.workers.map(({ program }) => program)];
  await Promise.all(programs.map((program) => program.untilReady()));
}

async function readRecords(record: ClientRecord, { customers, product, servers }: Stack): Promise<Records> {
  return {
    client: record.byRef,
    database: await readDatabaseRecord(servers.database),
    network: await readNetworkRecord(product.networkJournal),
    accountIds: customers.map((customer) => customer.accountId),
    deviceIds: customers.map((customer) => customer.deviceIds),
  };
}

export async function judge(stack: Stack, record: ClientRecord, tell: (text: string) => void): Promise<Judgement> {
  await untilAllWork(stack);
  const settleSeconds = await settle(stack.servers.database, ({ total, unreported }) =>
    tell(`${total} messages to finish, ${unreported} receipts to come`),
  );
  return { ...compare(await readRecords(record, stack)), settleSeconds };
}
