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
  readMessageText: { method: 'GET', path: '/api/v1/messages/{job_id}/text', device: false, repeat: 'refuse' },
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
  deviceHealth: { method: 'GET', path: '/api/v1/devices/{device_id}/health', device: false, repeat: 'harmless' },
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
  addSuppressions: { method: 'POST', path: '/api/v1/suppressions', device: false, repeat: 'refuse' },
  listSuppressions: { method: 'GET', path: '/api/v1/suppressions', device: false, repeat: 'harmless' },
  removeSuppression: { method: 'DELETE', path: '/api/v1/suppressions/{phone}', device: false, repeat: 'refuse' },
  getOptOut: { method: 'GET', path: '/api/v1/opt-out', device: false, repeat: 'harmless' },
  setOptOut: { method: 'PUT', path: '/api/v1/opt-out', device: false, repeat: 'refuse' },
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
  saveContact: { method: 'POST', path: '/api/v1/contacts', device: false, repeat: 'refuse' },
  listContacts: { method: 'GET', path: '/api/v1/contacts', device: false, repeat: 'harmless' },
  listRequests: { method: 'GET', path: '/api/v1/requests', device: false, repeat: 'harmless' },
  listAudit: { method: 'GET', path: '/api/v1/audit', device: false, repeat: 'harmless' },
  exportAudit: { method: 'GET', path: '/api/v1/audit/export', device: false, repeat: 'harmless' },
  exportContacts: { method: 'GET', path: '/api/v1/contacts/export', device: false, repeat: 'harmless' },
  checkContacts: { method: 'POST', path: '/api/v1/contacts/check', device: false, repeat: 'harmless' },
  listContactLists: { method: 'GET', path: '/api/v1/contacts/lists', device: false, repeat: 'harmless' },
  changeContactLists: { method: 'POST', path: '/api/v1/contacts/lists', device: false, repeat: 'refuse' },
  getContact: { method: 'GET', path: '/api/v1/contacts/{contact_id}', device: false, repeat: 'harmless' },
  updateContact: { method: 'PATCH', path: '/api/v1/contacts/{contact_id}', device: false, repeat: 'refuse' },
  deleteContact: { method: 'DELETE', path: '/api/v1/contacts/{contact_id}', device: false, repeat: 'refuse' },
  createUpload: { method: 'POST', path: '/api/v1/uploads', device: false, repeat: 'refuse' },
  addUploadPart: { method: 'POST', path: '/api/v1/uploads/{upload_id}/parts', device: false, repeat: 'harmless' },
  getUpload: { method: 'GET', path: '/api/v1/uploads/{upload_id}', device: false, repeat: 'harmless' },
  createContactImport: { method: 'POST', path: '/api/v1/contacts/imports', device: false, repeat: 'refuse' },
  getContactImport: { method: 'GET', path: '/api/v1/contacts/imports/{import_id}', device: false, repeat: 'harmless' },
  cancelContactImport: {
    method: 'POST',
    path: '/api/v1/contacts/imports/{import_id}/cancel',
    device: false,
    repeat: 'refuse',
  },
  listRefusedRows: {
    method: 'GET',
    path: '/api/v1/contacts/imports/{import_id}/refused',
    device: false,
    repeat: 'harmless',
  },
  exportRefusedRows: {
    method: 'GET',
    path: '/api/v1/contacts/imports/{import_id}/refused.csv',
    device: false,
    repeat: 'harmless',
  },
  resendEvent: { method: 'POST', path: '/api/v1/events/{event_id}/resend', device: false, repeat: 'refuse' },
  createTemplate: { method: 'POST', path: '/api/v1/templates', device: false, repeat: 'refuse' },
  listTemplates: { method: 'GET', path: '/api/v1/templates', device: false, repeat: 'harmless' },
  previewTemplate: { method: 'POST', path: '/api/v1/templates/preview', device: false, repeat: 'harmless' },
  getTemplate: { method: 'GET', path: '/api/v1/templates/{template_id}', device: false, repeat: 'harmless' },
  listTemplateVersions: {
    method: 'GET',
    path: '/api/v1/templates/{template_id}/versions',
    device: false,
    repeat: 'harmless',
  },
  createTemplateVersion: {
    method: 'POST',
    path: '/api/v1/templates/{template_id}/versions',
    device: false,
    repeat: 'refuse',
  },
  archiveTemplate: { method: 'DELETE', path: '/api/v1/templates/{template_id}', device: false, repeat: 'refuse' },
  createBroadcast: { method: 'POST', path: '/api/v1/broadcasts', device: false, repeat: 'refuse' },
  addBroadcastRecipients: {
    method: 'POST',
    path: '/api/v1/broadcasts/{broadcast_id}/recipients',
    device: false,
    repeat: 'refuse',
  },
  checkBroadcast: { method: 'POST', path: '/api/v1/broadcasts/{broadcast_id}/check', device: false, repeat: 'refuse' },
  startBroadcast: { method: 'POST', path: '/api/v1/broadcasts/{broadcast_id}/start', device: false, repeat: 'refuse' },
  pauseBroadcast: { method: 'POST', path: '/api/v1/broadcasts/{broadcast_id}/pause', device: false, repeat: 'refuse' },
  resumeBroadcast: {
    method: 'POST',
    path: '/api/v1/broadcasts/{broadcast_id}/resume',
    device: false,
    repeat: 'refuse',
  },
  cancelBroadcast: {
    method: 'POST',
    path: '/api/v1/broadcasts/{broadcast_id}/cancel',
    device: false,
    repeat: 'refuse',
  },
  updateBroadcast: { method: 'PATCH', path: '/api/v1/broadcasts/{broadcast_id}', device: false, repeat: 'refuse' },
  testBroadcast: { method: 'POST', path: '/api/v1/broadcasts/{broadcast_id}/test', device: false, repeat: 'refuse' },
  listBroadcasts: { method: 'GET', path: '/api/v1/broadcasts', device: false, repeat: 'harmless' },
  getBroadcast: { method: 'GET', path: '/api/v1/broadcasts/{broadcast_id}', device: false, repeat: 'harmless' },
  listBroadcastRecipients: {
    method: 'GET',
    path: '/api/v1/broadcasts/{broadcast_id}/recipients',
    device: false,
    repeat: 'harmless',
  },
  exportBroadcastResults: {
    method: 'GET',
    path: '/api/v1/broadcasts/{broadcast_id}/results.csv',
    device: false,
    repeat: 'harmless',
  },
};

type Limits = typeof callLimits;

/** How long the gateway accepts a signature. */
export const signatureLifeSeconds: Limits['timestampMaxPastSeconds'] = 300;
export const bulkMaxMessages: Limits['bulkMaxMessages'] = 1000;
export const suppressionsMax: Limits['suppressionsMax'] = 1000;
