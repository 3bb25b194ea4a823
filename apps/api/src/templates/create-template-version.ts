import { ApiError } from '@kurir/contracts';
import { createTemplateVersion as create } from '@kurir/database/templates';
import type { Handler } from '../operations/operation-request.js';
import { requireTemplate, templateNotFound } from './require-template.js';
import { showTemplate } from './show-template.js';

const changed = () =>
  new ApiError(
    'TEMPLATE_CHANGED',
    'Somebody added a version since. Look the template up, and repeat the change with the version that you find.',
  );

export const createTemplateVersion: Handler<'createTemplateVersion'> = async (request, { database }) => {
  const { caller, auditAs, params, body } = request;
  const { accountId, actor: createdBy } = caller;
  const template = { accountId, templateId: params.template_id };
  const outcome = await create(database, template, { ...body, createdBy }, auditAs('template.changed'));
  if (outcome === 'not-found') throw templateNotFound();
  if (outcome === 'changed') throw changed();
  return showTemplate(await requireTemplate(database, accountId, template.templateId));
};
