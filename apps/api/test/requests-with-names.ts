/** A request for each operation of the public api, which names everything that it can name. */
import type { DeviceId, PublicOperationName } from '@kurir/contracts';
import { aMessage, type CallOptions } from './signed-request.js';

/** All ids and names that a request could contain. */
export type Names = {
  readonly keyId: string;
  readonly deviceId: DeviceId;
  readonly jobId: string;
  readonly renewalId: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly templateId: string;
  readonly broadcastId: string;
  readonly conversationId: string;
  readonly contactId: string;
  readonly uploadId: string;
  readonly importId: string;
  readonly clientRef: string;
  readonly recipient: string;
};

export const nobody: Names = {
  keyId: 'kk_live_NobodyNobodyNobodyNobo',
  deviceId: 'dev_01kajp4m3s5y8zt0v6qk2c9hbe',
  jobId: 'msg_01kajp4m3s5y8zt0v6qk2c9hbe',
  renewalId: 'rnw_01kajp4m3s5y8zt0v6qk2c9hbe',
  webhookId: 'whk_01kajp4m3s5y8zt0v6qk2c9hbe',
  eventId: 'evt_msg_01kajp4m3s5y8zt0v6qk2c9hbe_1_1',
  templateId: 'tpl_01kajp4m3s5y8zt0v6qk2c9hbe',
  broadcastId: 'brc_01kajp4m3s5y8zt0v6qk2c9hbe',
  conversationId: 'cnv_01kajp4m3s5y8zt0v6qk2c9hbe',
  contactId: 'con_01kajp4m3s5y8zt0v6qk2c9hbe',
  uploadId: 'upl_01kajp4m3s5y8zt0v6qk2c9hbe',
  importId: 'imp_01kajp4m3s5y8zt0v6qk2c9hbe',
  clientRef: 'nobody-ref',
  recipient: '6289999999999',
};

const typing = { action: 'start', phone_destination: '6281234567890' };

/** A request for each operation, with all names that it can contain. The compiler reports an operation without one. */
export const requestsWith: { readonly [O in PublicOperationName]: (names: Names) => CallOptions } = {
  sendMessage: ({ deviceId }) => ({ deviceId, body: aMessage }),
  sendBulk: ({ deviceId }) => ({ deviceId, body: { messages: [aMessage] } }),
  chatPresence: ({ deviceId }) => ({ deviceId, body: typing }),
  listMessages: ({ deviceId, jobId, clientRef, recipient }) => ({
    query: new URLSearchParams({
      job_ids: jobId,
      device_id: deviceId,
      client_ref: clientRef,
      phone_destination: recipient,
    }).toString(),
  }),
  getMessage: ({ jobId }) => ({ jobId }),
  readMessageText: ({ jobId }) => ({ jobId }),
  cancelMessage: ({ jobId }) => ({ jobId }),
  cancelMessages: ({ deviceId, recipient }) => ({
    body: { filter: { device_id: deviceId, phone_destination: recipient } },
  }),
  renewAccount: () => ({}),
  getRenewal: ({ renewalId }) => ({ renewalId }),
  createDevice: () => ({ body: { name: 'Toko' } }),
  updateDevice: ({ deviceId }) => ({ deviceId, body: { name: 'Toko' } }),
  listDevices: () => ({}),
  linkDevice: ({ deviceId }) => ({ deviceId, body: {} }),
  cancelLink: ({ deviceId }) => ({ deviceId }),
  reconnectDevice: ({ deviceId }) => ({ deviceId }),
  disconnectDevice: ({ deviceId }) => ({ deviceId }),
  deleteDevice: ({ deviceId }) => ({ deviceId }),
  deviceInfo: ({ deviceId }) => ({ deviceId }),
  deviceHealth: ({ deviceId }) => ({ deviceId }),
  accountInfo: () => ({}),
  listConversations: ({ deviceId }) => ({ query: `device_id=${deviceId}` }),
  getConversation: ({ conversationId }) => ({ conversationId }),
  listConversationMessages: ({ conversationId }) => ({ conversationId }),
  markConversationRead: ({ conversationId }) => ({ conversationId }),
  addSuppressions: ({ recipient }) => ({ body: { phone: recipient } }),
  listSuppressions: ({ recipient }) => ({ query: `phone=${recipient}` }),
  removeSuppression: ({ recipient }) => ({ phone: recipient }),
  getOptOut: () => ({}),
  setOptOut: () => ({ body: { stop_words: ['ENOUGH'], start_words: ['MORE'], stop_reply: null, start_reply: null } }),
  listEvents: ({ deviceId }) => ({ query: `after=earliest&device_id=${deviceId}` }),
  latestPlan: () => ({}),
  createWebhook: ({ deviceId }) => ({ body: { url: 'https://example.com/hook', device_ids: [deviceId] } }),
  listWebhooks: () => ({}),
  getWebhook: ({ webhookId }) => ({ webhookId }),
  updateWebhook: ({ webhookId, deviceId }) => ({ webhookId, body: { device_ids: [deviceId] } }),
  deleteWebhook: ({ webhookId }) => ({ webhookId }),
  rotateWebhookSecret: ({ webhookId }) => ({ webhookId }),
  pingWebhook: ({ webhookId }) => ({ webhookId }),
  replayWebhook: ({ webhookId }) => ({ webhookId, body: { since: new Date(Date.now() - 60_000).toISOString() } }),
  listWebhookAttempts: ({ webhookId, eventId }) => ({ webhookId, query: `event_id=${eventId}` }),
  listFailedEvents: ({ webhookId }) => ({ webhookId }),
  resendEvent: ({ webhookId, eventId }) => ({ eventId, body: { webhook_id: webhookId } }),
  createTemplate: () => ({ body: { name: `Pesanan ${Math.random()}`, text: 'Halo' } }),
  listTemplates: () => ({}),
  previewTemplate: () => ({ body: { text: 'Halo', rows: [{ phone: '6281234567890' }] } }),
  getTemplate: ({ templateId }) => ({ templateId }),
  listTemplateVersions: ({ templateId }) => ({ templateId }),
  createTemplateVersion: ({ templateId }) => ({ templateId, body: { text: 'Hai' } }),
  archiveTemplate: ({ templateId }) => ({ templateId }),
  createBroadcast: ({ deviceId }) => ({ body: { name: 'Promo', message: 'Halo', device_ids: [deviceId] } }),
  addBroadcastRecipients: ({ broadcastId }) => ({
    broadcastId,
    body: { after: 0, rows: [{ phone: '6281234567890' }] },
  }),
  checkBroadcast: ({ broadcastId }) => ({ broadcastId }),
  startBroadcast: ({ broadcastId }) => ({ broadcastId, body: {} }),
  pauseBroadcast: ({ broadcastId }) => ({ broadcastId }),
  resumeBroadcast: ({ broadcastId }) => ({ broadcastId, body: {} }),
  cancelBroadcast: ({ broadcastId }) => ({ broadcastId }),
  updateBroadcast: ({ broadcastId, deviceId }) => ({ broadcastId, body: { device_ids: [deviceId] } }),
  testBroadcast: ({ broadcastId, recipient }) => ({ broadcastId, body: { phone: recipient } }),
  listBroadcasts: () => ({}),
  getBroadcast: ({ broadcastId }) => ({ broadcastId }),
  listBroadcastRecipients: ({ broadcastId }) => ({ broadcastId }),
  exportBroadcastResults: ({ broadcastId }) => ({ broadcastId }),
  saveContact: () => ({ body: { phone: '081234567890' } }),
  listContacts: ({ recipient }) => ({ query: `phone=%2B${recipient}` }),
  exportContacts: ({ recipient }) => ({ query: `phone=%2B${recipient}` }),
  checkContacts: ({ recipient }) => ({ body: { phones: [`+${recipient}`] } }),
  listContactLists: () => ({}),
  changeContactLists: ({ recipient }) => ({ body: { filter: { phone: `+${recipient}` }, add: ['x'] } }),
  getContact: ({ contactId }) => ({ contactId }),
  updateContact: ({ contactId }) => ({ contactId, body: { name: 'Other' } }),
  deleteContact: ({ contactId }) => ({ contactId }),
  createUpload: () => ({ body: { bytes: 4 } }),
  addUploadPart: ({ uploadId }) => ({ uploadId, body: { number: 2, data: 'YQ==' } }),
  getUpload: ({ uploadId }) => ({ uploadId }),
  createContactImport: ({ uploadId }) => ({ body: { upload_id: uploadId, mapping: { phone: 'HP' } } }),
  getContactImport: ({ importId }) => ({ importId }),
  cancelContactImport: ({ importId }) => ({ importId }),
  listRefusedRows: ({ importId }) => ({ importId }),
  exportRefusedRows: ({ importId }) => ({ importId }),
  listRequests: ({ keyId }) => ({ query: `api_key=${keyId}` }),
  listAudit: ({ deviceId }) => ({ query: `subject=${deviceId}` }),
  exportAudit: ({ deviceId }) => ({ query: `subject=${deviceId}` }),
};
