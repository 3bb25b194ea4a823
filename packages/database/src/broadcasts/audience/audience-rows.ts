/** The rows of `broadcast_audiences`: the file or the contacts that a worker turns into recipients. */
import type { AccountId, BroadcastId, UploadId } from '@kurir/contracts';
import type pg from 'pg';
import type { ContactFilter } from '../../contacts/read-contacts.js';

/** The columns of a file. A value has the name of its key. */
export type AudienceMapping = { readonly phone: string; readonly values: Readonly<Record<string, string>> };

export type NewAudience =
  | { readonly uploadId: UploadId; readonly bytes: number; readonly mapping: AudienceMapping }
  | { readonly filter: ContactFilter };

type Whose = { readonly id: BroadcastId; readonly accountId: AccountId };

/** Returns false if an import or another broadcast has the upload. Until the commit, no other request can take it. */
export async function isUploadFree(client: pg.PoolClient, accountId: AccountId, uploadId: UploadId): Promise<boolean> {
  await client.query('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
  const { rowCount } = await client.query(
    `SELECT 1 FROM contact_imports WHERE upload_id = $1 UNION ALL SELECT 1 FROM broadcast_audiences WHERE upload_id = $1`,
    [uploadId],
  );
  return rowCount === 0;
}

export async function addAudience(
  client: pg.PoolClient,
  { id, accountId }: Whose,
  audience: NewAudience,
): Promise<void> {
  const upload = 'uploadId' in audience ? audience : null;
  await client.query(
    `INSERT INTO broadcast_audiences (broadcast_id, account_id, upload_id, country, mapping, filter, total)
     SELECT $1, a.id, $3, a.country, $4, $5, $6 FROM accounts a WHERE a.id = $2`,
    [
      id,
      accountId,
      upload?.uploadId ?? null,
      upload && JSON.stringify(upload.mapping),
      'filter' in audience ? JSON.stringify(audience.filter) : null,
      upload?.bytes ?? null,
    ],
  );
}

/** `code` is a word for why the audience ended early. `row` is the row of the file. */
export type AudienceEnd = { readonly code: string; readonly row: number | null };

/** Nobody reads the audience any more. A filter may hold a name or a number, so it goes. */
export async function forgetAudience(client: pg.PoolClient, id: BroadcastId, end: AudienceEnd | null): Promise<void> {
  await client.query({
    name: 'forget-audience',
    text: `UPDATE broadcast_audiences SET mapping = NULL, filter = NULL, owner = NULL, problem = $2, problem_row = $3
           WHERE broadcast_id = $1`,
    values: [id, end?.code ?? null, end?.row ?? null],
  });
}
