/** With many conversations, and many messages in one of them, pages read few rows. */
import { newId } from '@kurir/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import { present, type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { rowsReadBy, statementsOf } from '../../test/statements.js';
import { readConversationMessages } from './read-conversation-messages.js';
import { readLastMessages } from './read-last-messages.js';
import { listConversations } from './read-conversations.js';

const fixture = useDatabaseFixture({ poolSize: 2 });
let tenant: Tenant;

beforeAll(async () => {
  tenant = await fixture().tenant({ quota: null });
  const { messageId } = present((await fixture().accept(tenant))[0]);
  await fixture().query(
    `INSERT INTO messages (id, account_id, device_id, key_id, request_id, priority, recipient, network_message_id, attempts, status, event_count)
     SELECT 'msg_' || n, account_id, device_id, key_id, request_id, priority, '6281' || n, 'N' || n, 1, 'read', 1
     FROM messages, generate_series(1000000, 1100000) n WHERE id = $1`,
    [messageId],
  );
});

describe('with many conversations, and many messages in one of them and in its alias', () => {
  const [kept, alias, unlinked] = [newId('cnv'), newId('cnv'), 'cnv_9' as const];
  const aPage = { deviceId: null, phone: null, onlyUnread: false, search: null, limit: 10, cursor: null };
  /** The second half of the conversations. */
  const further = () => `${Date.now() - 20_000_000}.cnv_`;

  beforeAll(async () => {
    // One in a hundred is unread, and those are the oldest.
    await fixture().query(
      `INSERT INTO conversations (id, account_id, device_id, chat_id, type, phone, unread, last_message_at)
       SELECT 'cnv_' || n, $1, $2, 'lid:' || n, 'direct', '6281' || n, (n <= 200)::int, now() - make_interval(secs => 30000 - n)
       FROM generate_series(1, 20000) n`,
      [tenant.accountId, tenant.deviceId],
    );
    await fixture().query(
      `INSERT INTO conversations (id, account_id, device_id, chat_id, type, alias_of)
       VALUES ($1, $3, $4, 'lid:a', 'direct', NULL), ($2, $3, $4, 'lid:b', 'direct', $1)`,
      [kept, alias, tenant.accountId, tenant.deviceId],
    );
    // Half of the messages belong to the two; the others have one message each.
    const itsConversation = `CASE WHEN n % 4 = 0 THEN $1 WHEN n % 4 = 1 THEN $2 ELSE 'cnv_' || n / 2 END`;
    await fixture().query(
      `INSERT INTO inbound_messages (id, account_id, device_id, conversation_id, kind, network_message_id, participant, sent_at)
       SELECT 'inb_' || 1000000 + n, $3, $4, ${itsConversation}, 'received', 'I' || n, '', now() FROM generate_series(1, 40000) n`,
      [kept, alias, tenant.accountId, tenant.deviceId],
    );
    await fixture().query(
      `INSERT INTO conversation_messages (conversation_id, message_id)
       SELECT ${itsConversation}, 'msg_' || 1000000 + n FROM generate_series(1, 40000) n`,
      [kept, alias],
    );
    // None of these is linked.
    await fixture().query(`UPDATE conversations SET phone = '62899' WHERE id = $1`, [unlinked]);
    await fixture().query(`UPDATE messages SET recipient = '62899' WHERE id BETWEEN 'msg_1050000' AND 'msg_1090000'`);
    await fixture().query('ANALYZE conversations, inbound_messages, conversation_messages, messages');
  });

  test.each<[string, () => Promise<unknown>]>([
    ['of conversations', () => listConversations(fixture().database, tenant.accountId, aPage)],
    [
      'of conversations further on',
      () => listConversations(fixture().database, tenant.accountId, { ...aPage, cursor: further() }),
    ],
    [
      'of conversations with a number',
      () => listConversations(fixture().database, tenant.accountId, { ...aPage, phone: '62815' }),
    ],
    [
      'of unread conversations',
      () => listConversations(fixture().database, tenant.accountId, { ...aPage, onlyUnread: true }),
    ],
    [
      'of messages',
      () => readConversationMessages(fixture().database, fixture().accountKeys, kept, { limit: 10, cursor: null }),
    ],
    [
      'of the last messages',
      () => readLastMessages(fixture().database, fixture().accountKeys, [kept, unlinked, 'cnv_70', 'cnv_71']),
    ],
    [
      'of messages that are older than the conversation',
      () => readConversationMessages(fixture().database, fixture().accountKeys, unlinked, { limit: 10, cursor: null }),
    ],
  ])('a page %s reads no more than a few rows', async (_what, work) => {
    for (const statement of await statementsOf(work)) {
      const rows = await rowsReadBy(fixture().database, statement);
      expect([statement.text, rows < 300 ? 'few' : rows]).toEqual([statement.text, 'few']);
    }
  });
});
