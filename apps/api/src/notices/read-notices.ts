import { markNotices } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';

/** Marks notices as read. The other open pages of the person show it at once. */
export const readNotices: Handler<'readNotices'> = async ({ caller, body }, { database, signalLivePages }) => {
  const member = { accountId: caller.accountId, userId: caller.visitor.user.id };
  const unread = await markNotices(database, member, { id: body.notice_id, older: body.older });
  signalLivePages();
  return { unread };
};
