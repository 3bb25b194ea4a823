import { readNoticeChoices } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';

export const listNoticeChoices: Handler<'listNoticeChoices'> = async ({ caller }, { database }) => ({
  choices: await readNoticeChoices(database, { accountId: caller.accountId, userId: caller.visitor.user.id }),
});
