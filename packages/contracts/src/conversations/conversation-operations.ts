/** The operations of conversations. */
import { z } from 'zod';
import { deviceId, jobId } from '../fields/id-fields.js';
import { isDeviceId } from '../fields/id-forms.js';
import { phoneDestination } from '../fields/phone-destination.js';
import { searchText } from '../fields/plain-text.js';
import { timestamp } from '../fields/timestamp.js';
import { limits } from '../http/limits.js';
import type { PublicOperation } from '../http/operation-entry.js';
import { pageCursor, pageLimit, pageQuery } from '../http/page-query.js';
import { shownReason, shownStatus } from '../messages/job.js';
import { messagePriorities } from '../messages/message-priorities.js';
import { replyTo } from './conversation-events.js';
import { conversationId, shownContent, shownPerson } from './shown-content.js';

const conversation = z
  .object({
    conversation_id: conversationId,
    device_id: deviceId,
    type: z.enum(['direct', 'group']),
    phone: z.string().nullable().meta({ description: 'Null: a group, or the network hides the number.' }),
    user_id: z.string().nullable().meta({ description: "The network's id of the person. Null: a group." }),
    name: z.string().nullable().meta({ description: 'The name that the person showed last.' }),
    unread: z.int().meta({ description: 'Messages that nobody has marked as read.' }),
    last_message_at: timestamp.meta({ description: 'When the person, or the owner with the phone, wrote last.' }),
    created_at: timestamp,
  })
  .meta({ id: 'Conversation' });

export const conversationKinds = ['message', 'edited', 'deleted', 'reaction', 'undecryptable'] as const;

const conversationMessage = z
  .object({
    message_id: z.string().meta({ description: 'An inbound message, or the job of your own message.' }),
    direction: z.enum(['inbound', 'outbound']),
    kind: z.enum(conversationKinds),
    job_id: jobId.nullable().meta({ description: 'Null: nobody sent it through Kurir.' }),
    status: shownStatus.nullable().meta({ description: 'The status of the job.' }),
    reason: shownReason.meta({ description: 'Why the job failed, waits or is `unknown`.' }),
    broadcast: z
      .object({
        broadcast_id: z.string(),
        name: z.string().nullable().meta({ description: 'Null: the broadcast is deleted.' }),
      })
      .nullable()
      .meta({ description: 'The broadcast that released the job. Null: none did.' }),
    priority: z
      .enum(messagePriorities)
      .nullable()
      .meta({ description: 'The priority of the job. The text of an `otp` is never shown.' }),
    network_message_id: z.string().nullable(),
    from: shownPerson.nullable().meta({ description: 'Null: the account wrote it.' }),
    ...shownContent,
    type: shownContent.type.nullable().meta({ description: 'Null: it has no content of its own.' }),
    reply_to: replyTo,
    target_id: z.string().nullable().meta({ description: 'The message that was edited, deleted or reacted to.' }),
    emoji: z.string().nullable(),
    forwarded: z.boolean(),
    at: timestamp.meta({ description: 'When it was written, or accepted.' }),
  })
  .meta({ id: 'ConversationMessage' });

const listedConversation = conversation
  .extend({
    last_message: conversationMessage
      .nullable()
      .meta({ description: 'The newest message of either direction. Null: none is left.' }),
  })
  .meta({ id: 'ListedConversation' });

const listQuery = z
  .object({
    device_id: z.string().refine(isDeviceId, 'must be the id of a device').optional(),
    phone: phoneDestination.optional().meta({
      description: 'Only the conversations with this number: digits with country code, without separators.',
      example: '6281234567890',
    }),
    q: searchText
      .optional()
      .meta({ description: 'A part of the name of the person or of their contact, or of the number.' }),
    unread: z.enum(['true', 'false']).optional().meta({ description: '`true`: only those with unread messages.' }),
    limit: pageLimit,
    cursor: pageCursor,
  })
  .transform((query) => ({
    deviceId: query.device_id ?? null,
    phone: query.phone ?? null,
    search: query.q === undefined || query.q === '' ? null : query.q,
    onlyUnread: query.unread === 'true',
    limit: query.limit ?? limits.listDefaultMessages,
    cursor: query.cursor ?? null,
  }));

const reading = {
  scope: 'conversations:read',
  testKeys: 'sandbox',
  access: 'agent',
  audit: null,
  device: false,
  repeat: 'harmless',
  maxBodyBytes: limits.bodyMaxBytes,
  body: null,
} as const;

export const conversationOperations = {
  listConversations: {
    ...reading,
    method: 'GET',
    path: '/api/v1/conversations',
    summary: 'List conversations. The one in which somebody wrote last comes first.',
    query: listQuery,
    data: z.object({ conversations: z.array(listedConversation), next_cursor: z.string().nullable() }),
    message: 'Conversations listed',
    errors: ['INVALID_REQUEST', 'INVALID_PHONE_NUMBER', 'SERVICE_UNAVAILABLE'],
  },
  getConversation: {
    ...reading,
    method: 'GET',
    path: '/api/v1/conversations/{conversation_id}',
    summary: 'Look up one conversation. The id of one that was joined with an older one gives the older one.',
    query: null,
    data: conversation,
    message: 'Conversation found',
    errors: ['CONVERSATION_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  },
  listConversationMessages: {
    ...reading,
    method: 'GET',
    path: '/api/v1/conversations/{conversation_id}/messages',
    summary: 'List the messages of both directions, newest first. The texts of one-time codes are left out.',
    query: pageQuery,
    data: z.object({ messages: z.array(conversationMessage), next_cursor: z.string().nullable() }),
    message: 'Messages listed',
    errors: ['CONVERSATION_NOT_FOUND', 'INVALID_REQUEST', 'SERVICE_UNAVAILABLE'],
  },
  markConversationRead: {
    method: 'POST',
    path: '/api/v1/conversations/{conversation_id}/read',
    summary: 'Mark all messages of the conversation as read. Kurir tells the network when the device is connected.',
    scope: 'conversations:write',
    testKeys: 'sandbox',
    access: 'developer',
    agents: true,
    audit: null,
    device: false,
    repeat: 'refuse',
    maxBodyBytes: limits.bodyMaxBytes,
    body: null,
    query: null,
    data: conversation,
    message: 'Conversation marked as read',
    errors: ['CONVERSATION_NOT_FOUND', 'REPLAYED_REQUEST', 'SERVICE_UNAVAILABLE'],
  },
} as const satisfies Record<string, PublicOperation>;
