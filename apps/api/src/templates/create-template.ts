import { ApiError } from '@kurir/contracts';
import { createTemplate as create } from '@kurir/database/templates';
import type { Handler } from '../operations/operation-request.js';
import { requireTemplate } from './require-template.js';
import { showTemplate } from './show-template.js';

export const createTemplate: Handler<'createTemplate'> = async ({ caller, auditAs, body }, { database }) => {
  const { accountId, actor } = caller;
  const id = await create(database, { accountId, createdBy: actor, ...body }, auditAs('template.created'));
  if (id === 'name-taken')
    throw new ApiError('TEMPLATE_NAME_TAKEN', 'Another template of the account has this name. Use another name.');
  return showTemplate(await requireTemplate(database, accountId, id));
};
