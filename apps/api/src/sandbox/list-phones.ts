import { findOwnSent, listWrittenTo } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';
import { type InboxMessage, readInbox, requireSimulator } from './simulated-network.js';

/** The newest text of the account's own devices stands among so many of a phone, or is not shown. */
const readMax = 20;

export const listPhones: Handler<'listPhones'> = async ({ caller, query }, { database, simulatorUrl: url }) => {
  const simulatorUrl = requireSimulator({ simulatorUrl: url });
  const { phones: written, nextCursor } = await listWrittenTo(database, caller.accountId, query);
  const inboxes = await Promise.all(
    // The list is of use without the texts, too.
    written.map(({ number }) => readInbox(simulatorUrl, number, readMax).catch((): InboxMessage[] => [])),
  );
  const ids = inboxes.flat().map((message) => message.network_message_id);
  const own = await findOwnSent(database, caller.accountId, ids);
  const phones = written.map(({ number, messages, lastAt }, i) => ({
    number,
    messages,
    last_message_at: lastAt.toISOString(),
    last_text: inboxes[i]?.findLast(({ network_message_id: id }) => own.has(id))?.text ?? null,
  }));
  return { phones, next_cursor: nextCursor };
};
