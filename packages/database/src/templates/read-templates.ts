/** Templates with their latest version, and their versions, for the account that has them. */
import type { AccountId, TemplateId } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';

export type TemplateView = {
  readonly id: TemplateId;
  readonly name: string;
  /** The latest version. */
  readonly version: number;
  readonly text: string;
  readonly footer: string | null;
  readonly archivedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type TemplateVersionView = Pick<TemplateView, 'version' | 'text' | 'footer' | 'createdAt'> & {
  readonly createdBy: string;
  /** Null: the person or key is gone. */
  readonly creatorName: string | null;
};

type Page = { readonly limit: number; readonly cursor: string | null };

const columns = `t.id, t.name, t.latest_version AS version, v.text, v.footer, t.archived_at AS "archivedAt",
  t.created_at AS "createdAt", t.updated_at AS "updatedAt"`;
const tables = 'templates t JOIN template_versions v ON v.template_id = t.id AND v.version = t.latest_version';

/** The templates that are not archived, newest first. */
export async function listTemplates(
  { pool }: Database,
  accountId: AccountId,
  { limit, cursor }: Page,
): Promise<{ readonly templates: readonly TemplateView[]; readonly nextCursor: string | null }> {
  const { rows } = await pool.query<TemplateView>({
    name: 'list-templates',
    text: `SELECT ${columns} FROM ${tables}
           WHERE t.account_id = $1 AND t.archived_at IS NULL AND ($2::text IS NULL OR t.id < $2)
           ORDER BY t.id DESC LIMIT $3 + 1`,
    values: [accountId, cursor, limit],
  });
  const templates = rows.slice(0, limit);
  return { templates, nextCursor: rows.length > limit ? (templates.at(-1)?.id ?? null) : null };
}

/** Null: the account has no such template. */
export async function readTemplate(
  { pool }: Database,
  accountId: AccountId,
  templateId: string,
): Promise<TemplateView | null> {
  const { rows } = await pool.query<TemplateView>({
    name: 'read-template',
    text: `SELECT ${columns} FROM ${tables} WHERE t.account_id = $1 AND t.id = $2`,
    values: [accountId, templateId],
  });
  return rows[0] ?? null;
}

/** Null as `version`: the latest. Null: the account has no such version. */
export async function readTemplateVersion(
  { pool }: Database,
  accountId: AccountId,
  { templateId, version }: { readonly templateId: string; readonly version: number | null },
): Promise<Pick<TemplateView, 'text' | 'footer'> | null> {
  const { rows } = await pool.query<Pick<TemplateView, 'text' | 'footer'>>({
    name: 'read-template-version',
    text: `SELECT v.text, v.footer FROM template_versions v JOIN templates t ON t.id = v.template_id
           WHERE t.account_id = $1 AND t.id = $2 AND v.version = coalesce($3, t.latest_version)`,
    values: [accountId, templateId, version],
  });
  return rows[0] ?? null;
}

const placeOf = (cursor: string | null) => (cursor !== null && /^[0-9]{1,9}$/.test(cursor) ? Number(cursor) : null);

/** Newest first. Empty: the account has no such template. */
export async function listTemplateVersions(
  { pool }: Database,
  accountId: AccountId,
  { templateId, limit, cursor }: Page & { readonly templateId: string },
): Promise<{ readonly versions: readonly TemplateVersionView[]; readonly nextCursor: string | null }> {
  const { rows } = await pool.query<TemplateVersionView>({
    name: 'list-template-versions',
    text: `SELECT v.version, v.text, v.footer, v.created_by AS "createdBy", v.created_at AS "createdAt",
             coalesce(u.name, k.name) AS "creatorName"
           FROM template_versions v JOIN templates t ON t.id = v.template_id
           LEFT JOIN users u ON u.id = v.created_by LEFT JOIN api_keys k ON k.id = v.created_by
           WHERE t.account_id = $1 AND t.id = $2 AND ($3::int IS NULL OR v.version < $3)
           ORDER BY v.version DESC LIMIT $4 + 1`,
    values: [accountId, templateId, placeOf(cursor), limit],
  });
  const versions = rows.slice(0, limit);
  const last = versions.at(-1);
  return { versions, nextCursor: rows.length > limit && last !== undefined ? String(last.version) : null };
}
