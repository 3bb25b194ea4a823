import { renamePerson } from '@kurir/database';
import type { Handler } from '../../operations/operation-request.js';

export const renameMe: Handler<'renameMe'> = async ({ caller, auditAs, body }, { database }) => {
  await renamePerson(database, caller.visitor.user.id, body.name, auditAs('person.renamed'));
  return { name: body.name };
};
