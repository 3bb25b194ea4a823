/** Creates, changes and archives templates. A version is only ever added. */
import { type AccountId, newId, type TemplateId } from '@kurir/contracts';
import { type Audit, audited, noteAudit } from '../accounts/audit.js';
import { type Database, inTransaction } from '../postgres/connect.js';

export type NewTemplate = {
  readonly accountId: AccountId;
  readonly name: string;
  readonly text: string;
  readonly footer: string | null;
  /** The id of the person or key. */
  readonly createdBy: string;
};

/** Returns the id, or `name-taken` if a template of the account that is not archived has the name. */
export async function createTemplate(
  { pool }: Database,
  { accountId, name, text, footer, createdBy }: NewTemplate,
  audit?: Audit,
): Promise<TemplateId | 'name-taken'> {
  const id = newId('tpl');
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `INSERT INTO templates (id, account_id, name) VALUES ($1, $2, $3)
       ON CONFLICT (account_id, name) WHERE archived_at IS NULL DO NOTHING`,
      [id, accountId, name],
    );
    if (rowCount !== 1) return 'name-taken';
    await client.query(
      'INSERT INTO template_versions (template_id, version, text, footer, created_by) VALUES ($1, 1, $2, $3, $4)',
      [id, text, footer, createdBy],
    );
    if (audit !== undefined) await noteAudit(client, audit, id);
    return id;
  });
}

type TemplateOf = { readonly accountId: AccountId; readonly templateId: string };

export type NewVersion = Pick<NewTemplate, 'text' | 'footer' | 'createdBy'> & {
  /** Null: it follows whatever the latest version is. */
  readonly baseVersion: number | null;
};

async function isLive({ pool }: Database, { accountId, templateId }: TemplateOf): Promise<boolean> {
  const { rowCount } = await pool.query(
    'SELECT 1 FROM templates WHERE id = $2 AND account_id = $1 AND archived_at IS NULL',
    [accountId, templateId],
  );
  return rowCount === 1;
}

/** The lock on the template's row lets crossing versions follow each other. */
export async function createTemplateVersion(
  database: Database,
  template: TemplateOf,
  { text, footer, createdBy, baseVersion }: NewVersion,
  audit?: Audit,
): Promise<'created' | 'not-found' | 'changed'> {
  const created = await audited(database, audit, template.templateId, async (queryable) => {
    const { rowCount } = await queryable.query(
      `WITH raised AS (
         UPDATE templates SET latest_version = latest_version + 1, updated_at = now()
         WHERE id = $2 AND account_id = $1 AND archived_at IS NULL AND ($3::int IS NULL OR latest_version = $3)
         RETURNING id, latest_version)
       INSERT INTO template_versions (template_id, version, text, footer, created_by)
       SELECT id, latest_version, $4, $5, $6 FROM raised`,
      [template.accountId, template.templateId, baseVersion, text, footer, createdBy],
    );
    return rowCount === 1;
  });
  if (created) return 'created';
  return (await isLive(database, template)) ? 'changed' : 'not-found';
}

/** Returns false if the account has no such template, or it is archived already. */
export const archiveTemplate = (
  database: Database,
  { accountId, templateId }: TemplateOf,
  audit?: Audit,
): Promise<boolean> =>
  audited(database, audit, templateId, async (queryable) => {
    const { rowCount } = await queryable.query(
      `UPDATE templates SET archived_at = now(), updated_at = now()
       WHERE id = $2 AND account_id = $1 AND archived_at IS NULL`,
      [accountId, templateId],
    );
    return rowCount === 1;
  });
