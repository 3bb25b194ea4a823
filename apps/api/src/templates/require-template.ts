import { type AccountId, ApiError } from '@kurir/contracts';
import type { Database } from '@kurir/database';
import { readTemplate, type TemplateView } from '@kurir/database/templates';

export const templateNotFound = (): ApiError =>
  new ApiError('TEMPLATE_NOT_FOUND', 'The account has no template with this id. GET /api/v1/templates lists them.');

/** Returns the account's template, or throws 404. The template of another account gets the same 404. */
export async function requireTemplate(
  database: Database,
  accountId: AccountId,
  templateId: string,
): Promise<TemplateView> {
  const template = await readTemplate(database, accountId, templateId);
  if (template === null) throw templateNotFound();
  return template;
}
