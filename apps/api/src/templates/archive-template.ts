import { archiveTemplate as archive } from '@kurir/database/templates';
import type { Handler } from '../operations/operation-request.js';
import { templateNotFound } from './require-template.js';

export const archiveTemplate: Handler<'archiveTemplate'> = async ({ caller, auditAs, params }, { database }) => {
  const { template_id: templateId } = params;
  const { accountId } = caller;
  if (!(await archive(database, { accountId, templateId }, auditAs('template.archived')))) throw templateNotFound();
  return { template_id: templateId };
};
