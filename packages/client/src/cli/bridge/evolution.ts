/**
 * Evolution API 2. Source: https://doc.evolution-api.com/v2/en/configuration/webhooks and
 * https://doc.evolution-api.com/v2/api-reference/message-controller/send-text
 */
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
import { fieldsOf, idWithin, isFields, parseChat, requireName, requireText, textOf } from './fields.js';
import {
  badRequest,
  type OpenSetup,
  type Peer,
  type PeerCall,
  type PeerRequest,
  type PeerSetup,
  type Recall,
} from './peer.js';

const domain = 's.whatsapp.net';

const statuses: Partial<Record<KurirEvent['type'], string>> = {
  'message.failed': 'ERROR',
  'message.expired': 'ERROR',
  'message.cancelled': 'ERROR',
  'message.sent': 'SERVER_ACK',
  'message.delivered': 'DELIVERY_ACK',
  'message.read': 'READ',
};

const connection = {
  connected: 'open',
  connecting: 'connecting',
  pairing: 'connecting',
  disconnected: 'close',
  banned: 'close',
} as const;

const fileTypes: Partial<Record<Received['data']['type'], string>> = {
  image: 'imageMessage',
  video: 'videoMessage',
  audio: 'audioMessage',
  voice: 'audioMessage',
  document: 'documentMessage',
  sticker: 'stickerMessage',
};

/** The message and the name of its type, as Baileys has them. */
function contentOf({ data }: Received): { messageType: string; message: object } {
  const fileType = fileTypes[data.type];
  if (fileType !== undefined) {
    const { mimeType: mimetype, fileName, seconds } = data.media ?? {};
    const file = {
      mimetype,
      caption: data.text ?? undefined,
      fileName,
      seconds,
      ptt: data.type === 'voice' || undefined,
    };
    return { messageType: fileType, message: { [fileType]: file } };
  }
  if (data.location !== null) {
    const { latitude, longitude, name, address } = data.location;
    const place = { degreesLatitude: latitude, degreesLongitude: longitude, name, address };
    return { messageType: 'locationMessage', message: { locationMessage: place } };
  }
  const answered = data.replyTo?.messageId ?? data.replyTo?.jobId ?? null;
  if (answered === null) return { messageType: 'conversation', message: { conversation: wordsOf(data) } };
  const contextInfo = { stanzaId: answered, quotedMessage: { conversation: data.replyTo?.text ?? '' } };
  return {
    messageType: 'extendedTextMessage',
    message: { extendedTextMessage: { text: wordsOf(data), contextInfo } },
  };
}

function messageData(event: Received) {
  const { data } = event;
  const person = 'from' in data ? data.from : data.to;
  const remoteJid = addressOf(chatOf(data.chat, person?.phone ?? null), domain);
  const participant =
    data.chat.type === 'group' && person !== null ? { participant: personAddress(person, domain) } : {};
  return {
    key: { remoteJid, fromMe: event.type === 'message.sent_elsewhere', id: data.messageId, ...participant },
    pushName: person?.name ?? null,
    status: 'DELIVERY_ACK',
    ...contentOf(event),
    messageTimestamp: unixSeconds(data.sentAt),
    source: 'unknown',
  };
}

function updateData(event: StatusEvent, recall: Recall) {
  const chat = chatOfJob(event, recall);
  const status = statuses[event.type];
  if (chat === null || status === undefined) return null;
  return { keyId: event.data.jobId, remoteJid: addressOf(chat, domain), fromMe: true, status };
}

function dataOf(event: KurirEvent, recall: Recall): readonly [name: string, data: object | null] | null {
  switch (event.type) {
    case 'message.received':
    case 'message.sent_elsewhere':
      return ['messages.upsert', messageData(event)];
    case 'device.state_changed':
      return event.data.state === null ? null : ['connection.update', { state: connection[event.data.state] }];
    default:
      return isStatusEvent(event) ? ['messages.update', updateData(event, recall)] : null;
  }
}

function render(event: KurirEvent, { name, secret, key, url }: OpenSetup, recall: Recall): object | null {
  const [kind, data] = dataOf(event, recall) ?? ['', null];
  if (data === null) return null;
  const withInstance = kind === 'connection.update' ? { instance: name, ...data } : { ...data, instanceId: name };
  return {
    event: kind,
    instance: name,
    data: withInstance,
    date_time: event.createdAt,
    server_url: url,
    apikey: secret ?? key,
  };
}

function readSend({ path, body }: PeerRequest, setup: PeerSetup): PeerCall {
  requireName(path['instance'] ?? null, 'instance', setup);
  const chat = parseChat(requireText(body, 'number'));
  // Version 1 had the text within `textMessage`, and `quoted` within `options`.
  const text = textOf(body, 'text') ?? requireText(fieldsOf(body, 'textMessage'), 'text');
  const quoted = isFields(body['quoted']) ? body['quoted'] : fieldsOf(fieldsOf(body, 'options'), 'quoted');
  return {
    kind: 'send',
    chat,
    text,
    replyTo: idWithin(textOf(fieldsOf(quoted, 'key'), 'id')),
    answer: (jobId, sentAtMs) => ({
      key: { remoteJid: addressOf(chat, domain), fromMe: true, id: jobId },
      message: { conversation: text },
      messageType: 'conversation',
      messageTimestamp: Math.floor(sentAtMs / 1000),
      status: 'PENDING',
      instanceId: setup.name,
    }),
  };
}

function readPresence({ path, body }: PeerRequest, setup: PeerSetup): PeerCall {
  requireName(path['instance'] ?? null, 'instance', setup);
  const presence = textOf(body, 'presence') ?? textOf(fieldsOf(body, 'options'), 'presence');
  if (presence !== 'composing' && presence !== 'paused') throw badRequest('presence must be composing or paused.');
  const chat = parseChat(requireText(body, 'number'));
  return { kind: 'typing', chat, action: presence === 'composing' ? 'start' : 'stop', answer: { presence } };
}

function readSeen({ path, body }: PeerRequest, setup: PeerSetup): PeerCall {
  requireName(path['instance'] ?? null, 'instance', setup);
  const list = body['readMessages'];
  const last: unknown = Array.isArray(list) ? list.at(-1) : null;
  if (!isFields(last)) throw badRequest('readMessages must be a list of keys.');
  const chat = parseChat(requireText(last, 'remoteJid'));
  return { kind: 'read', chat, messageId: null, answer: { message: 'Read messages', read: 'success' } };
}

export const evolution: Peer = {
  defaultName: 'default',
  render,
  routes: [
    { path: /^\/message\/sendText\/(?<instance>[^/]+)$/, status: 201, read: readSend },
    { path: /^\/chat\/sendPresence\/(?<instance>[^/]+)$/, status: 201, read: readPresence },
    { path: /^\/chat\/markMessageAsRead\/(?<instance>[^/]+)$/, status: 201, read: readSeen },
  ],
  // The body carries the key; this peer signs nothing.
  sign: () => ({}),
  keyOf: (headers) => String(headers['apikey'] ?? ''),
  refuse: ({ status, code, message }) => ({ status, error: code, response: { message: [message] } }),
};
