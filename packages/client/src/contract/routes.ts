/**
 * The part of the route table that a caller needs. The types come from the contracts, so a missing operation or a wrong
 * path does not compile. It is a copy, because the original needs all schemas, zod and the table of phone numbers.
 */
import type { Operation } from './call-types.js';
import type { callLimits, routes as contractRoutes } from './contract-types.js';

export type Route<O extends Operation = Operation> = (typeof contractRoutes)[O];

/** How the gateway treats a second use of a signature. */
export type Repeat = Route['repeat'];

export const routes: { readonly [O in Operation]: Route<O> } = {
  sendMessage: { method: 'POST', path: '/api/v1/messages/send', device: true, repeat: 'first-answer' },
  sendBulk: { method: 'POST', path: '/api/v1/messages/bulk', device: true, repeat: 'first-answer' },
  chatPresence: { method: 'POST', path: '/api/v1/messages/chat-presence', device: true, repeat: 'refuse' },
  listMessages: { method: 'GET', path: '/api/v1/messages', device: false, repeat: 'harmless' },
  getMessage: { method: 'GET', path: '/api/v1/messages/{job_id}', device: false, repeat: 'harmless' },
  cancelMessage: { method: 'POST', path: '/api/v1/messages/{job_id}/cancel', device: false, repeat: 'refuse' },
  cancelMessages: { method: 'POST', path: '/api/v1/messages/cancel', device: false, repeat: 'refuse' },
  renewAccount: { method: 'POST', path: '/api/v1/account/renew', device: false, repeat: 'refuse' },
  createDevice: { method: 'POST', path: '/api/v1/devices', device: false, repeat: 'refuse' },
  updateDevice: { method: 'PATCH', path: '/api/v1/devices', device: true, repeat: 'refuse' },
  listDevices: { method: 'GET', path: '/api/v1/devices', device: false, repeat: 'harmless' },
  linkDevice: { method: 'POST', path: '/api/v1/devices/link', device: true, repeat: 'refuse' },
  cancelLink: { method: 'POST', path: '/api/v1/devices/link/cancel', device: true, repeat: 'refuse' },
  reconnectDevice: { method: 'POST', path: '/api/v1/devices/reconnect', device: true, repeat: 'refuse' },
  disconnectDevice: { method: 'POST', path: '/api/v1/devices/disconnect', device: true, repeat: 'refuse' },
  deleteDevice: { method: 'DELETE', path: '/api/v1/devices/{device_id}', device: false, repeat: 'refuse' },
  deviceInfo: { method: 'GET', path: '/api/v1/devices/info', device: true, repeat: 'harmless' },
  accountInfo: { method: 'GET', path: '/api/v1/account/info', device: false, repeat: 'harmless' },
  getRenewal: { method: 'GET', path: '/api/v1/account/renewals/{renewal_id}', device: false, repeat: 'harmless' },
  listConversations: { method: 'GET', path: '/api/v1/conversations', device: false, repeat: 'harmless' },
  getConversation: {
    method: 'GET',
    path: '/api/v1/conversations/{conversation_id}',
    device: false,
    repeat: 'harmless',
  },
  listConversationMessages: {
    method: 'GET',
    path: '/api/v1/conversations/{conversation_id}/messages',
    device: false,
    repeat: 'harmless',
  },
  markConversationRead: {
    method: 'POST',
    path: '/api/v1/conversations/{conversation_id}/read',
    device: false,
    repeat: 'refuse',
  },
  listEvents: { method: 'GET', path: '/api/v1/events', device: false, repeat: 'harmless' },
  latestPlan: { method: 'GET', path: '/api/v1/account/planchoices/latest', device: false, repeat: 'harmless' },
  createWebhook: { method: 'POST', path: '/api/v1/webhooks', device: false, repeat: 'refuse' },
  listWebhooks: { method: 'GET', path: '/api/v1/webhooks', device: false, repeat: 'harmless' },
  getWebhook: { method: 'GET', path: '/api/v1/webhooks/{webhook_id}', device: false, repeat: 'harmless' },
  updateWebhook: { method: 'PATCH', path: '/api/v1/webhooks/{webhook_id}', device: false, repeat: 'refuse' },
  deleteWebhook: { method: 'DELETE', path: '/api/v1/webhooks/{webhook_id}', device: false, repeat: 'refuse' },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/api/v1/webhooks/{webhook_id}/rotate-secret',
    device: false,
    repeat: 'refuse',
  },
  pingWebhook: { method: 'POST', path: '/api/v1/webhooks/{webhook_id}/ping', device: false, repeat: 'refuse' },
  replayWebhook: { method: 'POST', path: '/api/v1/webhooks/{webhook_id}/replay', device: false, repeat: 'refuse' },
  listWebhookAttempts: {
    method: 'GET',
    path: '/api/v1/webhooks/{webhook_id}/attempts',
    device: false,
    repeat: 'harmless',
  },
  listFailedEvents: {
    method: 'GET',
    path: '/api/v1/webhooks/{webhook_id}/failed-events',
    device: false,
    repeat: 'harmless',
  },
  resendEvent: { method: 'POST', path: '/api/v1/events/{event_id}/resend', device: false, repeat: 'refuse' },
};

type Limits = typeof callLimits;

/** How long the gateway accepts a signature. */
export const signatureLifeSeconds: Limits['timestampMaxPastSeconds'] = 300;
export const bulkMaxMessages: Limits['bulkMaxMessages'] = 1000;
