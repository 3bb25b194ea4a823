import { chooseNotices as choose } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';

export const chooseNotices: Handler<'chooseNotices'> = async ({ caller, body }, { database }) => ({
  choices: await choose(database, { accountId: caller.accountId, userId: caller.visitor.user.id }, body),
});
