/**
 * A gateway for tests: a real HTTP server that checks signatures and timestamps and knows repeated signatures. A test
 * may ask for faults. Each fault happens to one request.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DataOf, ErrorCode, PublicOperationName } from '@kurir/contracts';
import { publicOperations, errorCatalogue, publicOperationNames } from '@kurir/contracts';
import { checkTimestamp, sha256Hex, verifyRequestSignature } from '@kurir/signing';
import { broadcastAnswers } from './broadcast-examples.js';
import { accountAnswers } from './account-examples.js';
import { contactAnswers } from './contact-examples.js';
import { exampleOptOut, exampleSuppression } from './suppression-examples.js';
import { webhookAnswers } from './webhook-examples.js';

export { exampleOptOut, exampleSuppression };

export const apiKey = 'kk_test_fixture';
export const apiSecret = 'ks_test_fixture_secret_never_shown';

export type Received = {
  readonly operation: PublicOperationName | null;
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};

export type Reply = { status: number; headers?: Record<string, string>; text: string };
/** The fate of one request: a reply, a reply that is lost before or after the work, no reply, or nothing special. */
export type Fault = Reply | 'none' | 'lost-after-acceptance' | 'lost-before-acceptance' | 'silence';
/** An answer may take its time. */
export type Answers = { [O in PublicOperationName]: (request: Received) => DataOf<O> | Promise<DataOf<O>> };

export type Gateway = {
  readonly baseUrl: string;
  readonly received: Received[];
  /** The requests that the gateway carried out. */
  readonly accepted: Received[];
  fail(...faults: Fault[]): void;
  answer(answers: Partial<Answers>): void;
  close(): Promise<void>;
};

export function refusal(code: ErrorCode, error = 'Try something else.', headers: Record<string, string> = {}): Reply {
  return { status: errorCatalogue[code].status, headers, text: JSON.stringify({ success: false, code, error }) };
}

function operationOf(method: string, target: string): PublicOperationName | null {
  const path = target.replace(/\?.*$/, '');
  const matches = (name: PublicOperationName) =>
    publicOperations[name].method === method &&
    new RegExp(`^${publicOperations[name].path.replace(/\{\w+\}/, '[^/]+')}$`).test(path);
  return publicOperationNames.find(matches) ?? null;
}

function jobIdOf(target: string): string {
  return target.split('/')[4] ?? '';
}

const at = '2026-11-21T09:00:00.000Z';
/** A job with its timeline. It is `delivered` by default. */
export function exampleJob(changed: Partial<DataOf<'getMessage'>> = {}): DataOf<'getMessage'> {
  return {
    job_id: 'msg_1',
    status: 'delivered',
    reason: null,
    network_message_id: '3EB0AA',
    device_id: 'dev_1',
    phone_destination: '6281234567890',
    priority: 'normal',
    category: 'transactional',
    client_ref: 'order-1',
    broadcast_id: null,
    send_at: null,
    expires_at: null,
    created_at: at,
    waiting: null,
    attempts: 1,
    request_id: 'req_1',
    sent_by: { id: 'kk_test_1', name: null },
    can_cancel: false,
    can_retry: false,
    timeline: [{ status: 'queued', reason: null, at }],
    ...changed,
  };
}

type Event = Extract<DataOf<'listEvents'>['events'][number], { subject: { type: 'message' } }>;

/** An event of a delivered message. */
export function exampleEvent(changed: Pick<Event, 'sequence'> & Partial<Pick<Event, 'id' | 'type'>>): Event {
  return {
    id: `evt_msg_1_${changed.sequence}_1`,
    type: 'message.delivered',
    created_at: at,
    device_id: 'dev_1',
    subject: { type: 'message', id: 'msg_1' },
    data: {
      job_id: 'msg_1',
      status: 'delivered',
      reason: null,
      until: null,
      client_ref: 'order-1',
      phone_destination: '6281234567890',
      priority: 'normal',
      network_message_id: '3EB0AA',
    },
    ...changed,
  };
}

type Device = DataOf<'listDevices'>['devices'][number];

export function exampleNewContacts(changed: Partial<Device['new_contacts']> = {}): Device['new_contacts'] {
  return {
    waiting: null,
    allowance: 20,
    used_today: 0,
    left: 16,
    left_for_codes: 20,
    paused_until: null,
    warning: null,
    advice: null,
    network_quota: null,
    ...changed,
  };
}

export function exampleDevice(changed: Partial<Device> = {}): Device {
  return {
    device_id: 'dev_1',
    name: 'Toko',
    network: 'whatsapp',
    state: 'connected',
    state_reason: null,
    state_detail: null,
    state_advice: null,
    state_until: null,
    phone_number: '6281200000001',
    pairing: null,
    settings: {
      pace_per_minute: 20,
      pace_jitter_ms: 2_000,
      typing_ms: 0,
      groups: 'none',
      new_contacts_policy: 'automatic',
      new_contacts_per_day: 20,
      proxy: null,
    },
    new_contacts: exampleNewContacts(),
    health: 'good',
    created_at: at,
    ...changed,
  };
}

export const exampleHealth = (changed: Partial<DataOf<'deviceHealth'>> = {}): DataOf<'deviceHealth'> => ({
  device_id: 'dev_1',
  health: 'good',
  reasons: [],
  counted_at: at,
  days: [],
  ...changed,
});

function listed({
  timeline: _timeline,
  attempts: _attempts,
  request_id: _requestId,
  sent_by: _sentBy,
  can_cancel: _canCancel,
  can_retry: _canRetry,
  ...job
}: DataOf<'getMessage'>) {
  return job;
}

type Conversation = DataOf<'listConversations'>['conversations'][number];
export const exampleConversation = (changed: Partial<Conversation> = {}): Conversation => ({
  conversation_id: 'cnv_1',
  device_id: 'dev_1',
  type: 'direct',
  phone: '6281234567890',
  user_id: 'lid:1',
  name: 'Budi',
  unread: 2,
  last_message_at: at,
  last_message: null,
  created_at: at,
  ...changed,
});

function defaultAnswers(): Answers {
  let sent = 0;
  return {
    sendMessage: () => ({ job_id: `msg_${++sent}` }),
    sendBulk: ({ body }) => ({ results: JSON.parse(body).messages.map(() => ({ job_id: `msg_${++sent}` })) }),
    chatPresence: () => ({}),
    listMessages: () => ({ messages: [listed(exampleJob())], next_cursor: null }),
    getMessage: ({ target }) => exampleJob({ job_id: jobIdOf(target) }),
    readMessageText: ({ target }) => ({ job_id: jobIdOf(target), text: 'Halo', withheld: null }),
    cancelMessage: ({ target }) => ({ job_id: jobIdOf(target), status: 'cancelled' }),
    cancelMessages: () => ({ cancelled: 3, has_more: false }),
    renewAccount: () => ({
      description: 'Renewal awaits payment.',
      payment_url: 'http://127.0.0.1/pay/1',
      renewal_id: 'rnw_1',
    }),
    getRenewal: ({ target }) => ({
      renewal_id: target.split('/')[5] ?? '',
      plan: 'Starter',
      duration_days: 30,
      price: 50_000,
      quota: 1_000,
      method: 'ordinary',
      state: 'pending',
      payment_url: 'http://127.0.0.1/pay/1',
      created_at: at,
      expires_at: at,
      paid_at: null,
    }),
    createDevice: ({ body }) => {
      const { name, network = 'whatsapp' } = JSON.parse(body);
      return { device_id: 'dev_2', state: 'disconnected', created_at: at, name, network };
    },
    updateDevice: () => exampleDevice(),
    listDevices: () => ({ devices: [exampleDevice()], max_devices: 10 }),
    linkDevice: () => ({ device_id: 'dev_1', state: 'pairing' }),
    cancelLink: () => ({ device_id: 'dev_1', state: 'disconnected' }),
    reconnectDevice: () => ({ device_id: 'dev_1', state: 'connecting' }),
    disconnectDevice: () => ({ device_id: 'dev_1' }),
    deleteDevice: () => ({ device_id: 'dev_1' }),
    deviceHealth: () => exampleHealth(),
    deviceInfo: () => ({ device_id: 'dev_1', state: 'connected', created_at: at }),
    accountInfo: () => ({
      user_id: 'acc_1',
      session_id: '00000000-0000-4000-8000-000000000000',
      plan: 'Starter',
      plan_type: 'TIME_BASED',
      start_date: at,
      expiry_date: at,
      days_left: 12,
      initial_quota: '1000',
      remaining_quota: '870',
    }),
    listConversations: () => ({ conversations: [exampleConversation()], next_cursor: null }),
    getConversation: () => exampleConversation(),
    listConversationMessages: () => ({ messages: [], next_cursor: null }),
    markConversationRead: () => ({ ...exampleConversation(), unread: 0 }),
    addSuppressions: ({ body }) => ({ added: (JSON.parse(body).phones ?? [1]).length, cancelled: 2 }),
    listSuppressions: () => ({ suppressions: [exampleSuppression()], next_cursor: null }),
    removeSuppression: () => ({ removed: true }),
    getOptOut: () => exampleOptOut,
    setOptOut: ({ body }) => JSON.parse(body),
    listEvents: () => ({ events: [], next_cursor: '1-2-3-4', has_more: false }),
    ...webhookAnswers(),
    ...broadcastAnswers(),
    ...contactAnswers(),
    ...accountAnswers(),
  };
}

async function read(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { method = '', url: target = '', headers } = request;
  return { operation: operationOf(method, target), method, target, headers, body: Buffer.concat(chunks).toString() };
}

function checkCredentials({ method, target, headers, body, operation }: Received, nowMs: number): Reply | null {
  const header = (name: string) => String(headers[name] ?? '');
  const timestamp = header('x-timestamp');
  const signature = header('x-signature');
  if (operation !== null && publicOperations[operation].device && !headers['x-device-id'])
    return refusal('MISSING_CREDENTIALS');
  if (header('x-api-key') !== apiKey) return refusal('INVALID_API_KEY');
  if (checkTimestamp(timestamp, nowMs).outcome !== 'ok') return refusal('TIMESTAMP_OUT_OF_RANGE', 'Set your clock.');
  const bodySha256 = sha256Hex(body);
  if (headers['x-signature-version'] !== '2') return refusal('INVALID_SIGNATURE', 'The client signs by scheme 2.');
  const signedHeaders = { deviceId: header('x-device-id'), idempotencyKey: header('idempotency-key') };
  const secrets = [apiSecret];
  const known = verifyRequestSignature({ method, target, timestamp, signedHeaders, bodySha256, signature, secrets });
  return known === null ? refusal('INVALID_SIGNATURE') : null;
}

function write(response: ServerResponse, reply: Reply, nowMs: number): void {
  const headers = { 'X-Request-Id': 'req_1', Date: new Date(nowMs).toUTCString(), ...reply.headers };
  response.writeHead(reply.status, headers).end(reply.text);
}

export async function startGateway(now: () => number = Date.now): Promise<Gateway> {
  const answers = defaultAnswers();
  const faults: Fault[] = [];
  const received: Received[] = [];
  const accepted: Received[] = [];
  const firstReplies = new Map<string, Reply>();

  async function accept(request: Received): Promise<Reply> {
    if (request.operation === null) return refusal('NOT_FOUND');
    const signature = String(request.headers['x-signature']);
    const first = firstReplies.get(signature);
    const { repeat, message } = publicOperations[request.operation];
    if (first !== undefined && repeat === 'first-answer') return first;
    if (first !== undefined && repeat === 'refuse') return refusal('REPLAYED_REQUEST');
    accepted.push(request);
    const data = await answers[request.operation](request);
    const reply =
      typeof data === 'string'
        ? { status: 200, headers: { 'Content-Type': 'text/csv' }, text: data }
        : { status: 200, text: JSON.stringify({ success: true, message, data }) };
    firstReplies.set(signature, reply);
    return reply;
  }

  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await read(message);
    received.push(request);
    const fault = faults.shift();
    if (fault === 'silence') return;
    if (fault === 'lost-before-acceptance') return void response.destroy();
    const reply = typeof fault === 'object' ? fault : (checkCredentials(request, now()) ?? (await accept(request)));
    if (fault === 'lost-after-acceptance') return void response.destroy();
    write(response, reply, now());
  }

  const server = createServer((message, response) => {
    handle(message, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server has an address object. Only a pipe has a text.
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    received,
    accepted,
    fail: (...more) => void faults.push(...more),
    answer: (changed) => void Object.assign(answers, changed),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
