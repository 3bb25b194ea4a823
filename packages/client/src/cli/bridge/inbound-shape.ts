/** TEMPORARY until main has the operations of conversations. */
import { callGateway } from '../../calls/call-gateway.js';
import type { KurirClient } from '../../calls/client.js';
import { openConnection } from '../../calls/connection.js';
import { plainRequest } from '../../calls/signed-request.js';
import type { Route } from '../../contract/routes.js';
import type { Settings } from '../terminal/read-settings.js';

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
