import { expect, test } from 'vitest';
import { type Message, type MessagePages, replaceMessage } from './replace-message.js';

const message = (job_id: string, status: Message['status']): Message => ({
  job_id,
  status,
  reason: null,
  network_message_id: null,
  device_id: 'dev_1',
  phone_destination: '6281234567890',
  priority: 'normal',
  category: 'transactional',
  client_ref: null,
  broadcast_id: null,
  send_at: null,
  expires_at: null,
  created_at: '2026-11-21T09:00:00.000Z',
  waiting: null,
});
const pages: MessagePages = {
  pages: [
    { messages: [message('msg_3', 'queued')], next_cursor: '2' },
    { messages: [message('msg_2', 'sent'), message('msg_1', 'read')], next_cursor: null },
  ],
  pageParams: [null, '2'],
};

test('the changed message is replaced on its page, and the other messages stay as they are', () => {
  const moved = replaceMessage(pages, message('msg_2', 'delivered'));
  expect(moved?.pages.flatMap(({ messages }) => messages.map(({ status }) => status))).toEqual([
    'queued',
    'delivered',
    'read',
  ]);
  expect(moved?.pages[0]?.messages[0]).toEqual(pages.pages[0]?.messages[0]);
  expect(pages.pages[1]?.messages[0]?.status).toBe('sent');
});

test('an event that comes twice, or is about a message that is not in the list, changes nothing', () => {
  const once = replaceMessage(pages, message('msg_2', 'delivered'));
  expect(replaceMessage(once, message('msg_2', 'delivered'))).toEqual(once);
  expect(replaceMessage(pages, message('msg_9', 'sent'))).toBe(pages);
  expect(replaceMessage(undefined, message('msg_2', 'sent'))).toBeUndefined();
});
