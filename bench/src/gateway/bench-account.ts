/** The account that the benchmark uses: it has a plan, an open period and a key. */
import type { AccountId } from '@kurir/contracts';
import {
  choosePlan,
  createAccount,
  createApiKey,
  createPlan,
  createSealer,
  type Database,
  grantPeriod,
  readChosenPlan,
} from '@kurir/database';
import { makeApiKeyId, makeApiSecret, parseKey } from '@kurir/signing';

export type BenchAccount = { readonly accountId: AccountId; readonly apiKey: string; readonly apiSecret: string };

/** The quota is far more than a run sends, but it is limited, because taking quota is part of accepting a message. */
const plan = { name: 'bench', durationDays: 30, priceRupiah: 50_000, quota: 1_000_000_000 };

export async function createBenchAccount(database: Database, masterKey: string): Promise<BenchAccount> {
  const accountId = await createAccount(database, 'bench');
  await choosePlan(database, accountId, await createPlan(database, plan));
  const chosen = await readChosenPlan(database, accountId);
  if (chosen === null) throw new Error('the plan that was chosen is not there');
  await grantPeriod(database, accountId, chosen);
  const [apiKey, apiSecret] = [makeApiKeyId('live'), makeApiSecret('live')];
  const key = { id: apiKey, secret: apiSecret, accountId, name: 'bench', scopes: [], allowedIps: [] };
  await createApiKey(database, createSealer(parseKey(masterKey)), key);
  return { accountId, apiKey, apiSecret };
}
