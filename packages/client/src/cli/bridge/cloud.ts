/**
 * The WhatsApp Cloud API. Source:
 * https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages
 */
import { createHmac } from 'node:crypto';
import type { KurirEvent } from '../../contract/call-types.js';
import { chatOf, chatOfJob, isStatusEvent, type Received, type StatusEvent, unixSeconds } from './bridged-event.js';
import { fieldsOf, idWithin, parseChat, requireName, requireText, textOf } from './fields.js';
import {
  badRequest,
  type Chat,
  type Peer,
  type PeerCall,
  type PeerRequest,
  type PeerSetup,
  type Recall,
} from './peer.js';

const wamid = (id: string) => `wamid.${id}`;

/** A number, or the id of a chat or of a person whose number is hidden. */
function waId(chat: Chat): string {
  if ('phone' in chat) return chat.phone;
  return 'userId' in chat ? chat.userId : chat.conversationId;
}

const statuses: Partial<Record<KurirEvent['type'], string>> = {
  'message.failed': 'failed',
  'message.expired': 'failed',
  'message.cancelled': 'failed',
  'message.sent': 'sent',
  'message.delivered': 'delivered',
  'message.read': 'read',
};

/** The code of the Cloud API for what it does not show. */
const unsupported = { type: 'unsupported', errors: [{ code: 131051, title: 'Message type is not supported.' }] };

function contentOf({ type, text, media, location, contacts }: Received['data']): object {
  const file = { mime_type: media?.mimeType, sha256: media?.sha256, caption: text ?? undefined };
  switch (type) {
    case 'text':
      return { type, text: { body: text ?? '' } };
    case 'image':
    case 'video':
    case 'sticker':
      return { type, [type]: file };
    case 'document':
      return { type, document: { ...file, filename: media?.fileName } };
    case 'audio':
    case 'voice':
      return { type: 'audio', audio: { ...file, voice: type === 'voice' } };
    case 'location':
      return { type, location };
    case 'contacts':
      return {
        type,
        contacts: contacts?.map(({ name, phones }) => ({
          name: { formatted_name: name },
          phones: phones.map((phone) => ({ phone })),
        })),
      };
    default:
      return unsupported;
  }
}

type Written = Extract<KurirEvent, { type: 'message.received' | 'message.reaction' }>;

function messageValue(event: Written, content: object, answered: string | null) {
  const { data } = event;
  const from = waId(chatOf(data.chat, data.from.phone));
  const context = answered === null ? {} : { context: { id: wamid(answered) } };
  const message = {
    from,
    id: wamid(data.messageId),
    timestamp: String(unixSeconds(data.sentAt)),
    ...content,
    ...context,
  };
  const contact = { profile: { name: data.from.name ?? '' }, wa_id: from, user_id: data.from.userId ?? undefined };
  return { contacts: [contact], messages: [message] };
}

function statusValue(event: StatusEvent, recall: Recall) {
  const status = statuses[event.type];
  const chat = chatOfJob(event, recall);
  if (status === undefined || chat === null) return null;
  const errors = status === 'failed' ? { errors: [{ code: 131000, title: event.data.reason ?? event.type }] } : {};
  const timestamp = String(unixSeconds(event.createdAt));
  return { statuses: [{ id: wamid(event.data.jobId), status, timestamp, recipient_id: waId(chat), ...errors }] };
}

function valueOf(event: KurirEvent, recall: Recall): object | null {
  switch (event.type) {
    case 'message.received':
      return messageValue(
        event,
        contentOf(event.data),
        event.data.replyTo?.messageId ?? event.data.replyTo?.jobId ?? null,
      );
    case 'message.reaction': {
      const { target, emoji } = event.data;
      const about = target.messageId ?? target.jobId;
      const reaction = { message_id: about === null ? '' : wamid(about), emoji: emoji ?? undefined };
      return messageValue(event, { type: 'reaction', reaction }, null);
    }
    default:
      return isStatusEvent(event) ? statusValue(event, recall) : null;
  }
}

function render(event: KurirEvent, { name }: PeerSetup, recall: Recall): object | null {
  const found = valueOf(event, recall);
  if (found === null) return null;
  const metadata = { display_phone_number: name, phone_number_id: name };
  const value = { messaging_product: 'whatsapp', metadata, ...found };
  return { object: 'whatsapp_business_account', entry: [{ id: name, changes: [{ field: 'messages', value }] }] };
}

function readMessages({ path, body }: PeerRequest, setup: PeerSetup): PeerCall {
  requireName(path['phone'] ?? null, 'phone number id', setup);
  if (textOf(body, 'status') === 'read') {
    const messageId = idWithin(requireText(body, 'message_id'));
    return { kind: 'read', chat: null, messageId, answer: { success: true } };
  }
  const type = textOf(body, 'type') ?? 'text';
  if (type !== 'text') throw badRequest(`This bridge sends type text only, and got ${JSON.stringify(type)}.`);
  const to = requireText(body, 'to');
  const chat = parseChat(to);
  return {
    kind: 'send',
    chat,
    text: requireText(fieldsOf(body, 'text'), 'body'),
    replyTo: idWithin(textOf(fieldsOf(body, 'context'), 'message_id')),
    answer: (jobId) => ({
      messaging_product: 'whatsapp',
      contacts: [{ input: to, wa_id: waId(chat) }],
      messages: [{ id: wamid(jobId) }],
    }),
  };
}

export const cloud: Peer = {
  defaultName: '100000000000000',
  render,
  routes: [{ path: /^\/(?:v\d+\.\d+\/)?(?<phone>[^/]+)\/messages$/, status: 200, read: readMessages }],
  sign: (body, _event, secret) => ({
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  }),
  keyOf: (headers) => String(headers['authorization'] ?? '').replace(/^Bearer /i, ''),
  refuse: ({ status, code, message }) => ({
    error: {
      message,
      type: 'OAuthException',
      code: status === 401 ? 190 : 131000,
      error_data: { messaging_product: 'whatsapp', details: code },
    },
  }),
};
