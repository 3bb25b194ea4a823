import type { Handler } from '../operations/operation-request.js';
import { requireTemplate } from './require-template.js';
import { showTemplate } from './show-template.js';

export const getTemplate: Handler<'getTemplate'> = async ({ caller, params }, { database }) =>
  showTemplate(await requireTemplate(database, caller.accountId, params.template_id));
