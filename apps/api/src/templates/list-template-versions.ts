import { listTemplateVersions as list } from '@kurir/database/templates';
import type { Handler } from '../operations/operation-request.js';
import { requireTemplate } from './require-template.js';
import { showVersion } from './show-template.js';

export const listTemplateVersions: Handler<'listTemplateVersions'> = async (
  { caller, params, query },
  { database },
) => {
  const { id: templateId } = await requireTemplate(database, caller.accountId, params.template_id);
  const { versions, nextCursor } = await list(database, caller.accountId, { templateId, ...query });
  return { versions: versions.map(showVersion), next_cursor: nextCursor };
};
