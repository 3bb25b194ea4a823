import { type AccountId, newId } from '@kurir/contracts';
import type { Database } from './connect.js';

/** Notes who did what to an account. `detail` must hold no secret, text or phone number. */
export async function recordAudit(
  database: Database,
  entry: {
    readonly accountId: AccountId | null;
    readonly actor: string;
    readonly action: string;
    readonly subject: string | null;
  },
): Promise<void> {
  await database.prisma.auditEntry.create({ data: { id: newId('aud'), ...entry } });
}
