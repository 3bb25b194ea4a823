/** The keys of an account without their secrets, and the people who know them. */
import type { AccountId, ApiKeyId, UserId } from '@kurir/contracts';
import type { MemberRole } from '@kurir/contracts/dashboard';
import type { Database } from '../postgres/connect.js';

export type ApiKeyRow = {
  readonly id: ApiKeyId;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly allowedIps: readonly string[];
  /** Null: the command line made the key, or nobody noted who did. */
  readonly maker: KeyMaker | null;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
  /** Newest first. During a rotation, the older one ends at `expiresAt`. */
  readonly secrets: readonly {
    readonly version: number;
    /** The person who saw it. */
    readonly createdBy: string | null;
    readonly createdAt: Date;
    readonly expiresAt: Date | null;
    readonly lastUsedAt: Date | null;
  }[];
};

export type KeyMaker = {
  readonly userId: string;
  /** Null: the person was erased. */
  readonly name: string | null;
  /** Null: the person is no member any more. */
  readonly role: MemberRole | null;
};

async function readMakers(
  { pool }: Database,
  accountId: AccountId,
  ids: readonly string[],
): Promise<Map<string, KeyMaker>> {
  const { rows } = await pool.query<KeyMaker & { userId: UserId }>({
    name: 'read-key-makers',
    text: `SELECT u.id AS "userId", u.name, m.role FROM users u
           LEFT JOIN members m ON m.user_id = u.id AND m.account_id = $1 WHERE u.id = ANY ($2::text[])`,
    values: [accountId, ids],
  });
  return new Map(rows.map((row) => [row.userId, row]));
}

const select = {
  id: true,
  name: true,
  scopes: true,
  allowedIps: true,
  createdBy: true,
  createdAt: true,
  revokedAt: true,
  secrets: {
    select: { version: true, createdBy: true, createdAt: true, expiresAt: true, lastUsedAt: true },
    orderBy: { version: 'desc' },
  },
} as const;

/** The account's keys, oldest first. With `keyId`, only that key. */
export async function listApiKeys(database: Database, accountId: AccountId, keyId?: string): Promise<ApiKeyRow[]> {
  const rows = await database.prisma.apiKey.findMany({
    where: { accountId, ...(keyId === undefined ? {} : { id: keyId }) },
    select,
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  const ids = [...new Set(rows.flatMap(({ createdBy }) => createdBy ?? []))];
  const makers = ids.length === 0 ? new Map<string, KeyMaker>() : await readMakers(database, accountId, ids);
  const makerOf = (id: string | null): KeyMaker | null =>
    id === null ? null : (makers.get(id) ?? { userId: id, name: null, role: null });
  // Only makeApiKeyId makes ids of keys.
  return rows.map(({ createdBy, ...row }) => ({ ...row, id: row.id as ApiKeyId, maker: makerOf(createdBy) }));
}
