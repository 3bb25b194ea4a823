import { listTemplates as list } from '@kurir/database/templates';
import type { Handler } from '../operations/operation-request.js';
import { showTemplate } from './show-template.js';

export const listTemplates: Handler<'listTemplates'> = async ({ caller, query }, { database }) => {
  const { templates, nextCursor } = await list(database, caller.accountId, query);
  return { templates: templates.map(showTemplate), next_cursor: nextCursor };
};
