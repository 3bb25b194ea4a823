import type { DataOf } from '@kurir/contracts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fakeClock } from '../../test/clock-fixture.js';
import { exampleConversation, type Gateway, refusal, startGateway } from '../../test/gateway-fixture.js';
import { environmentFor, runHere } from '../../test/kurir-fixture.js';

let clock = fakeClock();
let gateway: Gateway;

beforeEach(async () => {
  clock = fakeClock();
  gateway = await startGateway(clock.now);
});
afterEach(() => gateway.close());

const kurir = (...args: string[]) => runHere(['conversations', ...args], environmentFor(gateway.baseUrl), { clock });
const target = (index = 0) => gateway.received[index]?.target;
const ago = (ms: number) => new Date(clock.now() - ms).toISOString();

type Message = DataOf<'listConversationMessages'>['messages'][number];

const message = (changed: Partial<Message>): Message => ({
  message_id: 'inb_1',
  direction: 'inbound',
  kind: 'message',
  job_id: null,
  status: null,
  reason: null,
  broadcast: null,
  priority: null,
  network_message_id: null,
  from: null,
  type: 'text',
  text: 'Halo',
  media: null,
  location: null,
  contacts: null,
  poll: null,
  raw_type: null,
  reply_to: null,
  target_id: null,
  emoji: null,
  forwarded: false,
  at: ago(0),
  ...changed,
});

it('lists conversations by the best name there is, and control characters do not reach the terminal', async () => {
  const conversations = [
    exampleConversation({ name: 'Budi\u001b[2J', last_message_at: ago(120_000) }),
    exampleConversation({ conversation_id: 'cnv_2', name: null, unread: 0, last_message_at: ago(7_200_000) }),
    exampleConversation({ conversation_id: 'cnv_3', name: null, phone: null, last_message_at: ago(0) }),
    exampleConversation({
      conversation_id: 'cnv_4',
      type: 'group',
      name: null,
      phone: null,
      user_id: null,
      last_message_at: ago(0),
    }),
  ];
  gateway.answer({ listConversations: () => ({ conversations, next_cursor: '9.cnv_4' }) });
  const { code, stdout } = await kurir();
  expect(code).toBe(0);
  expect(stdout.split('\n')).toEqual([
    'cnv_1  Budi\ufffd[2J       2 unread  2 minutes ago',
    'cnv_2  6281234567890            2 hours ago',
    'cnv_3  lid:1          2 unread  now',
    'cnv_4  group          2 unread  now',
    'More: kurir conversations --cursor 9.cnv_4',
    '',
  ]);
});

it('asks for what the flags name', async () => {
  await kurir('list', '--unread', '--phone', '+62 812-3456-7890', '--cursor', '9.cnv_4', '--device', 'dev_7');
  const { pathname, searchParams } = new URL(target() ?? '', 'http://localhost');
  expect([pathname, Object.fromEntries(searchParams)]).toEqual([
    '/api/v1/conversations',
    { unread: 'true', phone: '6281234567890', cursor: '9.cnv_4', device_id: 'dev_7' },
  ]);
});

it('says that there are none', async () => {
  gateway.answer({ listConversations: () => ({ conversations: [], next_cursor: null }) });
  expect(await kurir()).toEqual({ code: 0, stdout: 'No conversations.\n', stderr: '' });
});

it('shows both directions of a conversation, and a message without a text by its kind', async () => {
  const messages = [
    message({ direction: 'outbound', text: 'Siap\u0007', at: ago(60_000) }),
    message({ type: 'image', text: null }),
    message({ kind: 'reaction', type: null, text: null, emoji: '👍' }),
    message({ kind: 'deleted', type: null, text: null }),
  ];
  gateway.answer({ listConversationMessages: () => ({ messages, next_cursor: 'older' }) });
  const { stdout } = await kurir('show', 'cnv_1');
  expect(stdout.split('\n')).toEqual([
    '1 minute ago  →  Siap\ufffd',
    'now  ←  image',
    'now  ←  👍',
    'now  ←  deleted',
    'More: kurir conversations show cnv_1 --cursor older',
    '',
  ]);
  await kurir('show', 'cnv_1', '--cursor', 'older');
  expect(target(1)).toBe('/api/v1/conversations/cnv_1/messages?cursor=older');
});

it('marks a conversation as read', async () => {
  expect(await kurir('read', 'cnv_1')).toEqual({ code: 0, stdout: 'marked as read\n', stderr: '' });
  expect([gateway.received[0]?.method, target()]).toEqual(['POST', '/api/v1/conversations/cnv_1/read']);
});

it('prints the conversation of the API with --json', async () => {
  const read = JSON.parse((await kurir('read', 'cnv_1', '--json')).stdout);
  expect(read).toEqual(exampleConversation({ unread: 0 }));
});

it.each([[['show']], [['read']], [['read', '../account/info']], [['show', 'cnv_1', '--unread']]])(
  '%j ends with 2, and nothing is sent',
  async (args) => {
    expect(await kurir(...args)).toMatchObject({ code: 2, stdout: '' });
    expect(gateway.received).toEqual([]);
  },
);

it('ends with 1 and the sentence of the gateway', async () => {
  gateway.fail(refusal('CONVERSATION_NOT_FOUND', 'The account has no such conversation.'));
  const { code, stderr } = await kurir('read', 'cnv_9');
  expect([code, stderr.includes('The account has no such conversation.')]).toEqual([1, true]);
});
