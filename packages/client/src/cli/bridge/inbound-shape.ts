/** TEMPORARY until main has the events and operations of conversations. */
import { callGateway } from '../../calls/call-gateway.js';
import type { KurirClient } from '../../calls/client.js';
import { openConnection } from '../../calls/connection.js';
import { plainRequest } from '../../calls/signed-request.js';
import type { KurirEvent as KnownEvent } from '../../contract/call-types.js';
import type { Route } from '../../contract/routes.js';
import type { Settings } from '../terminal/read-settings.js';

type Person = { phone: string | null; userId: string | null; username: string | null; name: string | null };
type Target = { messageId: string | null; jobId: string | null; networkMessageId: string | null };
type OfEvery = {
  messageId: string;
  networkMessageId: string | null;
  deviceId: string;
  chat: { id: string; type: 'direct' | 'group' };
  sentAt: string;
  receivedAt: string;
};
type Written = OfEvery & {
  type:
    | 'text'
    | 'image'
    | 'video'
    | 'audio'
    | 'voice'
    | 'document'
    | 'sticker'
    | 'location'
    | 'contacts'
    | 'poll'
    | 'unsupported';
  text: string | null;
  media: {
    mimeType: string | null;
    size: number | null;
    fileName: string | null;
    sha256: string | null;
    seconds: number | null;
  } | null;
  location: { latitude: number; longitude: number; name: string | null; address: string | null } | null;
  contacts: { name: string | null; phones: string[] }[] | null;
  poll: { question: string; options: string[]; choices: number } | null;
  rawType: string | null;
  replyTo: { messageId: string | null; jobId: string | null; text: string | null } | null;
  forwarded: boolean;
  offline: boolean;
};
type OfConversation<T, D> = {
  id: string;
  createdAt: string;
  deviceId: string | null;
  sequence: number;
  type: T;
  subject: { type: 'conversation'; id: string };
  data: D;
};

export type KurirEvent =
  | KnownEvent
  | OfConversation<'message.received', Written & { from: Person }>
  | OfConversation<'message.sent_elsewhere', Written & { to: Person | null }>
  | OfConversation<'message.reaction', OfEvery & { from: Person; target: Target; emoji: string | null }>;

export type BridgeClient = Pick<KurirClient, 'chatPresence'> & {
  sendMessage(input: {
    phoneDestination?: string;
    conversationId?: string;
    message: string;
    replyTo?: string | undefined;
    clientRef?: string | undefined;
  }): Promise<{ jobId: string }>;
  readConversation(conversationId: string): Promise<unknown>;
};

export function bridgeClient(client: KurirClient, settings: Settings): BridgeClient {
  const connection = openConnection({ ...settings, deviceId: settings.deviceId ?? undefined });
  const route = {
    method: 'POST',
    path: '/api/v1/conversations/{conversation_id}/read',
    device: false,
    repeat: 'refuse',
  } as unknown as Route;
  return {
    ...client,
    sendMessage: (input) => client.sendMessage(input as never),
    readConversation: (id) =>
      callGateway(connection, plainRequest(connection, route, { id }, null), {
        signal: undefined,
        timeoutMs: connection.timeoutMs,
      }),
  };
}
