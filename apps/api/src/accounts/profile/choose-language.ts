import { chooseLanguage as choose } from '@kurir/database';
import type { Handler } from '../../operations/operation-request.js';

export const chooseLanguage: Handler<'chooseLanguage'> = async ({ caller, body }, { database }) => {
  await choose(database, caller.visitor.user.id, body.language);
  return { language: body.language };
};
