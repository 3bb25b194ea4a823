/** WAHA. Source: https://waha.devlike.pro/docs/how-to/events/ and https://waha.devlike.pro/docs/how-to/send-messages/ */
import { createHmac } from 'node:crypto';
import type { KurirEvent } from '../../contract/call-types.js';
import {
  addressOf,
  chatOf,
  chatOfJob,
  isStatusEvent,
  personAddress,
  type Received,
  type StatusEvent,
  unixSeconds,
  wordsOf,
} from './bridged-event.js';
import { idWithin, parseChat, requireName, requireText, textOf } from './fields.js';
import { badRequest, type Peer, type PeerCall, type PeerRequest, type PeerSetup, type Recall } from './peer.js';

const domain = 'c.us';

const acks: Partial<Record<KurirEvent['type'], readonly [ack: number, name: string]>> = {
  'message.failed': [-1, 'ERROR'],
  'message.expired': [-1, 'ERROR'],
  'message.cancelled': [-1, 'ERROR'],
  'message.sent': [1, 'SERVER'],
  'message.delivered': [2, 'DEVICE'],
  'message.read': [3, 'READ'],
};

const sessionStatus = {
  connected: 'WORKING',
  connecting: 'STARTING',
  pairing: 'SCAN_QR_CODE',
  disconnected: 'STOPPED',
  banned: 'FAILED',
} as const;

const serialized = (fromMe: boolean, chat: string, id: string) => `${fromMe}_${chat}_${id}`;

function mediaOf({ media }: Received['data']) {
  // WAHA shows `hasMedia` without `media` when it did not fetch the file.
  return media === null ? { hasMedia: false, media: null } : { hasMedia: true, media: null, mimetype: media.mimeType };
}

function messagePayload(event: Received) {
  const { data } = event;
  const fromMe = event.type === 'message.sent_elsewhere';
  const person = 'from' in data ? data.from : data.to;
  const chat = addressOf(chatOf(data.chat, person?.phone ?? null), domain);
  const { replyTo } = data;
  const answered = replyTo?.messageId ?? replyTo?.jobId ?? null;
  return {
    id: serialized(fromMe, chat, data.messageId),
    timestamp: unixSeconds(data.sentAt),
    from: chat,
    fromMe,
    source: 'app',
    to: null,
    participant: data.chat.type === 'group' && person !== null ? personAddress(person, domain) : null,
    body: wordsOf(data),
    ...mediaOf(data),
    ack: 1,
    ackName: 'SERVER',
    location: data.location && {
      latitude: data.location.latitude,
      longitude: data.location.longitude,
      description: data.location.name,
    },
    vCards: [],
    replyTo: answered === null ? null : { id: answered, body: replyTo?.text ?? null },
    _data: {
      notifyName: person?.name ?? null,
      type: data.type,
      userId: person?.userId ?? null,
      networkMessageId: data.networkMessageId,
    },
  };
}

function ackPayload(event: StatusEvent, recall: Recall) {
  const [ack, ackName] = acks[event.type] ?? [0, 'PENDING'];
  const chat = chatOfJob(event, recall);
  if (chat === null) return null;
  const address = addressOf(chat, domain);
  return {
    id: serialized(true, address, event.data.jobId),
    from: address,
    to: address,
    participant: null,
    fromMe: true,
    ack,
    ackName,
  };
}

function payloadOf(event: KurirEvent, recall: Recall): readonly [name: string, payload: object | null] | null {
  switch (event.type) {
    case 'message.received':
      return ['message', messagePayload(event)];
    case 'message.sent_elsewhere':
      return ['message.any', messagePayload(event)];
    case 'message.reaction': {
      const { data } = event;
      const chat = addressOf(chatOf(data.chat, data.from.phone), domain);
      const about = data.target.messageId ?? data.target.jobId ?? '';
      const reaction = { text: data.emoji ?? '', messageId: serialized(data.target.jobId !== null, chat, about) };
      return [
        'message.reaction',
        {
          id: serialized(false, chat, data.messageId),
          timestamp: unixSeconds(data.sentAt),
          from: chat,
          fromMe: false,
          to: null,
          participant: null,
          reaction,
        },
      ];
    }
    case 'device.state_changed':
      return event.data.state === null ? null : ['session.status', { status: sessionStatus[event.data.state] }];
    default:
      return acks[event.type] === undefined || !isStatusEvent(event)
        ? null
        : ['message.ack', ackPayload(event, recall)];
  }
}

function render(event: KurirEvent, { name }: PeerSetup, recall: Recall): object | null {
  const [kind, payload] = payloadOf(event, recall) ?? ['', null];
  if (payload === null) return null;
  return {
    id: event.id,
    timestamp: Date.parse(event.createdAt),
    event: kind,
    session: name,
    metadata: {},
    me: null,
    payload,
    environment: { tier: 'PLUS', version: 'kurir' },
    engine: 'KURIR',
  };
}

function readSend({ body }: PeerRequest, setup: PeerSetup): PeerCall {
  requireName(textOf(body, 'session'), 'session', setup);
  const [chatId, text] = [requireText(body, 'chatId'), requireText(body, 'text')];
  const chat = parseChat(chatId);
  const address = addressOf(chat, domain);
  return {
    kind: 'send',
    chat,
    text,
    replyTo: idWithin(textOf(body, 'reply_to')),
    answer: (jobId, sentAtMs) => ({
      id: serialized(true, address, jobId),
      timestamp: Math.floor(sentAtMs / 1000),
      from: null,
      fromMe: true,
      source: 'api',
      to: address,
      body: text,
      hasMedia: false,
      ack: 0,
      ackName: 'PENDING',
      _data: { job_id: jobId },
    }),
  };
}

function readSeen({ body }: PeerRequest, setup: PeerSetup): PeerCall {
  requireName(textOf(body, 'session'), 'session', setup);
  return { kind: 'read', chat: parseChat(requireText(body, 'chatId')), messageId: null, answer: {} };
}

const readTyping =
  (action: 'start' | 'stop') =>
  ({ body }: PeerRequest, setup: PeerSetup): PeerCall => {
    requireName(textOf(body, 'session'), 'session', setup);
    return { kind: 'typing', chat: parseChat(requireText(body, 'chatId')), action, answer: {} };
  };

function readPresence({ path, body }: PeerRequest, setup: PeerSetup): PeerCall {
  requireName(path['session'] ?? null, 'session', setup);
  const presence = requireText(body, 'presence');
  if (presence !== 'typing' && presence !== 'paused') throw badRequest('presence must be typing or paused.');
  const chat = parseChat(requireText(body, 'chatId'));
  return { kind: 'typing', chat, action: presence === 'typing' ? 'start' : 'stop', answer: {} };
}

export const waha: Peer = {
  defaultName: 'default',
  render,
  routes: [
    { path: /^\/api\/sendText$/, status: 201, read: readSend },
    { path: /^\/api\/sendSeen$/, status: 201, read: readSeen },
    { path: /^\/api\/startTyping$/, status: 201, read: readTyping('start') },
    { path: /^\/api\/stopTyping$/, status: 201, read: readTyping('stop') },
    { path: /^\/api\/(?<session>[^/]+)\/presence$/, status: 201, read: readPresence },
  ],
  sign: (body, event, secret, nowMs) => ({
    'x-webhook-request-id': event.id,
    'x-webhook-timestamp': String(nowMs),
    'x-webhook-hmac': createHmac('sha512', secret).update(body).digest('hex'),
    'x-webhook-hmac-algorithm': 'sha512',
  }),
  keyOf: (headers) => String(headers['x-api-key'] ?? ''),
  refuse: ({ status, code, message }) => ({ statusCode: status, error: code, message }),
};
