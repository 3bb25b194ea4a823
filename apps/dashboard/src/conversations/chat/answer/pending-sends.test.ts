import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiFailure } from '../../../http/api-failure.js';
import type { Pending } from '../lines/chat-lines.js';
import { sendPending } from './pending-sends.js';

type Given = { deviceId: string; body: { client_ref: string } };

const { call } = vi.hoisted(() => ({
  call: vi.fn<(operation: string, given: Given) => Promise<{ job_id: string }>>(),
}));
vi.mock('../../../http/call.js', () => ({ call }));
afterEach(() => void call.mockReset());

const chat = { conversation_id: 'cnv_1', device_id: 'dev_1' };
const pendingOf = (ref: string): Pending => ({
  ref,
  text: `text ${ref}`,
  replyTo: null,
  at: '2026-11-25T09:00:00.000Z',
  jobId: null,
  failure: null,
});
const shownIn = (client: QueryClient) => client.getQueryData<Pending[]>(['pending', 'cnv_1']) ?? [];

test('a message is shown at once, and goes away only after the list was read again', async () => {
  const client = new QueryClient();
  const atReading: (string | null)[] = [];
  vi.spyOn(client, 'invalidateQueries').mockImplementation(() => {
    atReading.push(...shownIn(client).map(({ jobId }) => jobId));
    return Promise.resolve();
  });
  call.mockResolvedValue({ job_id: 'msg_1' });
  const sending = sendPending(client, chat, pendingOf('a'));
  expect(shownIn(client)).toEqual([pendingOf('a')]);
  await sending;
  expect(atReading).toEqual(['msg_1']);
  expect(shownIn(client)).toEqual([]);
  const body = { conversation_id: 'cnv_1', message: 'text a', client_ref: 'a' };
  expect(call.mock.calls).toEqual([['sendMessage', { deviceId: 'dev_1', body }]]);
});

test('messages go out in their order', async () => {
  const client = new QueryClient();
  let accept = (_answer: { job_id: string }) => {};
  const first = new Promise<{ job_id: string }>((resolve) => {
    accept = resolve;
  });
  call.mockReturnValueOnce(first).mockResolvedValue({ job_id: 'msg_2' });
  const sendings = ['a', 'b'].map((ref) => sendPending(client, chat, pendingOf(ref)));
  await expect.poll(() => call.mock.calls).toHaveLength(1);
  expect(shownIn(client).map(({ ref }) => ref)).toEqual(['a', 'b']);
  accept({ job_id: 'msg_1' });
  await Promise.all(sendings);
  expect(call.mock.calls.map(([, { body }]) => body.client_ref)).toEqual(['a', 'b']);
});

test('a failed message stays, holds up no later one, and is the same message at the second try', async () => {
  const client = new QueryClient();
  const failure = new ApiFailure('QUOTA_EXHAUSTED', 'The quota is used up.', null);
  call.mockRejectedValueOnce(failure).mockResolvedValue({ job_id: 'msg_2' });
  await Promise.all(['a', 'b'].map((ref) => sendPending(client, chat, pendingOf(ref))));
  expect(shownIn(client)).toEqual([{ ...pendingOf('a'), failure }]);
  await sendPending(client, chat, { ...pendingOf('a'), failure });
  expect(shownIn(client)).toEqual([]);
  expect(call.mock.calls.map(([, { body }]) => body.client_ref)).toEqual(['a', 'b', 'a']);
});
