import type { AccountId } from '@kurir/contracts';
import type { DashboardData } from '@kurir/contracts/dashboard';
import { type ApiKeyRow, type Database, listApiKeys } from '@kurir/database';
import { keyNotFound } from './require-key.js';

type Shown = DashboardData<'listKeys'>['keys'][number];

const iso = (at: Date | null) => at?.toISOString() ?? null;

/** The newest secret, and the one before it: people want to know when the old one was last used. */
const shownSecrets = 2;

export function showKey(key: ApiKeyRow): Shown {
  const used = key.secrets.flatMap(({ lastUsedAt }) => (lastUsedAt === null ? [] : [lastUsedAt.getTime()]));
  return {
    api_key: key.id,
    name: key.name,
    mode: key.id.startsWith('kk_live_') ? 'live' : 'test',
    scopes: [...key.scopes],
    allowed_ips: [...key.allowedIps],
    created_by: key.maker === null ? null : { user_id: key.maker.userId, name: key.maker.name, role: key.maker.role },
    created_at: key.createdAt.toISOString(),
    revoked_at: iso(key.revokedAt),
    last_used_at: used.length === 0 ? null : new Date(Math.max(...used)).toISOString(),
    secrets: key.secrets.slice(0, shownSecrets).map(({ version, createdBy, createdAt, expiresAt, lastUsedAt }) => ({
      version,
      created_by: createdBy,
      created_at: createdAt.toISOString(),
      expires_at: iso(expiresAt),
      last_used_at: iso(lastUsedAt),
    })),
  };
}

/** Returns the account's key, or throws 404. */
export async function readShownKey(database: Database, accountId: AccountId, keyId: string): Promise<Shown> {
  const [key] = await listApiKeys(database, accountId, keyId);
  if (key === undefined) throw keyNotFound();
  return showKey(key);
}
