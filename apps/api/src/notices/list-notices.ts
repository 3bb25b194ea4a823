import { listNotices as list, type NoticeRow } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';

const show = ({ id, kind, at, isRead, subject, name, state, reason, until }: NoticeRow) => ({
  notice_id: String(id),
  kind,
  at: at.toISOString(),
  read: isRead,
  subject,
  name,
  state,
  reason,
  until: until?.toISOString() ?? null,
});

export const listNotices: Handler<'listNotices'> = async ({ caller, query }, { database }) => {
  const member = { accountId: caller.accountId, userId: caller.visitor.user.id };
  const { notices, nextCursor, unread } = await list(database, member, query);
  return { unread, notices: notices.map(show), next_cursor: nextCursor };
};
