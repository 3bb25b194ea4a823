/** A request for every operation of the dashboard's route table. The compiler reports a missing one. */
import type { OperationNameForPeople } from '@kurir/contracts/dashboard';
import type { CallParts } from './person.js';
import { aMessage } from './signed-request.js';

/** All ids and names of an account that a request could contain. */
export type Names = {
  readonly deviceId: string;
  readonly jobId: string;
  readonly keyId: string;
  readonly userId: string;
  readonly invitationId: string;
  readonly renewalId: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly templateId: string;
  readonly broadcastId: string;
  readonly conversationId: string;
  readonly contactId: string;
  readonly uploadId: string;
  readonly importId: string;
  readonly accountId: string;
  readonly planId: string;
  readonly recipient: string;
  readonly clientRef: string;
};

export const nobody: Names = {
  deviceId: 'dev_01kajp4m3s5y8zt0v6qk2c9hbe',
  jobId: 'msg_01kajp4m3s5y8zt0v6qk2c9hbe',
  keyId: 'kk_test_nobody',
  userId: 'usr_01kajp4m3s5y8zt0v6qk2c9hbe',
  invitationId: 'inv_01kajp4m3s5y8zt0v6qk2c9hbe',
  renewalId: 'rnw_01kajp4m3s5y8zt0v6qk2c9hbe',
  webhookId: 'whk_01kajp4m3s5y8zt0v6qk2c9hbe',
  eventId: 'evt_msg_01kajp4m3s5y8zt0v6qk2c9hbe_1_1',
  templateId: 'tpl_01kajp4m3s5y8zt0v6qk2c9hbe',
  broadcastId: 'brc_01kajp4m3s5y8zt0v6qk2c9hbe',
  conversationId: 'cnv_01kajp4m3s5y8zt0v6qk2c9hbe',
  contactId: 'con_01kajp4m3s5y8zt0v6qk2c9hbe',
  uploadId: 'upl_01kajp4m3s5y8zt0v6qk2c9hbe',
  importId: 'imp_01kajp4m3s5y8zt0v6qk2c9hbe',
  accountId: 'acc_01kajp4m3s5y8zt0v6qk2c9hbe',
  planId: 'pln_01kajp4m3s5y8zt0v6qk2c9hbe',
  recipient: '6289999999999',
  clientRef: 'nobody-ref',
};

const device = ({ deviceId }: Names) => ({ deviceId });
const deviceInPath = ({ deviceId }: Names) => ({ params: { device_id: deviceId } });
const job = ({ jobId }: Names) => ({ params: { job_id: jobId } });
const conversation = ({ conversationId }: Names) => ({ params: { conversation_id: conversationId } });
const contact = ({ contactId }: Names) => ({ params: { contact_id: contactId } });
const upload = ({ uploadId }: Names) => ({ params: { upload_id: uploadId } });
const contactImport = ({ importId }: Names) => ({ params: { import_id: importId } });
const key = ({ keyId }: Names) => ({ params: { api_key: keyId } });
const webhook = ({ webhookId }: Names) => ({ params: { webhook_id: webhookId } });
const template = ({ templateId }: Names) => ({ params: { template_id: templateId } });
const broadcast = ({ broadcastId }: Names) => ({ params: { broadcast_id: broadcastId } });
const query = (fields: Record<string, string>) => ({ query: new URLSearchParams(fields).toString() });

const filter = ({ deviceId, recipient, clientRef }: Names) =>
  query({ device_id: deviceId, phone_destination: recipient, client_ref: clientRef });

const signature = ({ keyId }: Names) => ({
  body: { api_key: keyId, method: 'GET', target: '/', timestamp: '1763690000', body: '', signature: 'a'.repeat(64) },
});

/** Each request contains all names that it can contain. */
export const dashboardCalls: { readonly [O in OperationNameForPeople]: (names: Names) => CallParts } = {
  readSetup: () => ({}),
  readMe: () => ({}),
  switchAccount: ({ accountId }) => ({ body: { account_id: accountId } }),
  chooseLanguage: () => ({ body: { language: 'en' } }),
  renameMe: () => ({ body: { name: 'Toko' } }),
  changeMyEmail: () => ({ body: { email: 'new@example.com' } }),
  confirmMyEmail: () => ({ body: { token: 'no-such-token' } }),
  leaveAccount: ({ accountId }) => ({ body: { account_id: `not-${accountId}` } }),
  openAccount: () => ({ body: { name: 'Toko' } }),
  confirmSession: () => ({ body: { code: '000000' } }),
  eraseMe: () => ({ body: { email: 'nobody@example.com' } }),
  exportMe: () => ({}),
  eraseAccount: () => ({ body: { name: 'nobody' } }),
  exportAccount: () => ({}),
  renameAccount: () => ({ body: { name: 'Toko' } }),
  readAccountCountry: () => ({}),
  setAccountCountry: () => ({ body: { country: 'MY' } }),
  listMembers: () => ({}),
  inviteMember: () => ({ body: { email: 'new@example.com', role: 'viewer' } }),
  revokeInvitation: ({ invitationId }) => ({ params: { invitation_id: invitationId } }),
  readInvitation: () => ({ params: { token: 'no-such-token' } }),
  acceptInvitation: () => ({ params: { token: 'no-such-token' } }),
  changeRole: ({ userId }) => ({ params: { user_id: userId }, body: { role: 'viewer' } }),
  removeMember: ({ userId }) => ({ params: { user_id: userId }, body: {} }),
  listRequests: () => ({}),
  listAudit: ({ deviceId }) => query({ subject: deviceId }),
  exportAudit: ({ deviceId }) => query({ subject: deviceId }),
  listDevices: ({ deviceId }) => query({ device_id: deviceId }),
  deviceInfo: device,
  deviceHealth: deviceInPath,
  createDevice: () => ({ body: { name: 'Toko', network: 'simulator' } }),
  updateDevice: (names) => ({ ...device(names), body: { name: 'Other' } }),
  linkDevice: (names) => ({ ...device(names), body: {} }),
  cancelLink: device,
  pretendScan: deviceInPath,
  reconnectDevice: device,
  disconnectDevice: device,
  deleteDevice: deviceInPath,
  chatPresence: (names) => ({ ...device(names), body: { action: 'start', phone_destination: '6281234567890' } }),
  listPhones: () => ({}),
  readPhone: ({ recipient }) => ({ params: { number: recipient } }),
  writeFromPhone: ({ deviceId }) => ({
    params: { number: '6281234567890' },
    body: { device_id: deviceId, text: 'Hi' },
  }),
  listMessages: filter,
  exportMessages: filter,
  getMessage: job,
  readMessageText: job,
  cancelMessage: job,
  cancelMessages: ({ deviceId, recipient }) => ({
    body: { filter: { device_id: deviceId, phone_destination: recipient } },
  }),
  retryMessage: job,
  sendMessage: ({ deviceId }) => ({ deviceId, body: aMessage }),
  listKeys: () => ({}),
  createKey: () => ({ body: { name: 'Toko', scopes: ['messages:send'] } }),
  changeKey: (names) => ({ ...key(names), body: { name: 'Other' } }),
  rotateKey: (names) => ({ ...key(names), body: {} }),
  revokeKey: key,
  debugSignature: signature,
  readOverview: () => ({}),
  readReport: () => ({ query: 'days=7&time_zone=Asia/Jakarta' }),
  listPlans: () => ({}),
  choosePlan: ({ planId }) => ({ params: { plan_id: planId } }),
  listRenewals: () => ({}),
  renewAccount: () => ({}),
  accountInfo: () => ({}),
  latestPlan: () => ({}),
  getRenewal: ({ renewalId }) => ({ params: { renewal_id: renewalId } }),
  listLedger: () => ({}),
  listInvoices: () => ({}),
  downloadInvoice: ({ renewalId }) => ({ params: { invoice_id: renewalId } }),
  readInvoiceDetails: () => ({}),
  setInvoiceDetails: () => ({ body: { name: 'PT Toko', tax_number: null, address: null } }),
  adminListAccounts: () => ({}),
  adminGrantPeriod: ({ accountId, planId }) => ({ params: { account_id: accountId }, body: { plan_id: planId } }),
  adminListPlans: () => ({}),
  adminCreatePlan: () => ({ body: { name: 'Paket Baru', duration_days: 30, price: 1_000, quota: null } }),
  adminChangePlan: ({ planId }) => ({ params: { plan_id: planId }, body: { active: true } }),
  adminListWorkers: () => ({}),
  adminListLanes: () => ({}),
  adminListWebhooks: () => ({}),
  adminSuspendAccount: ({ accountId }) => ({ params: { account_id: accountId }, body: { reason: 'reported' } }),
  adminResumeAccount: ({ accountId }) => ({ params: { account_id: accountId } }),
  adminShowAccount: ({ accountId }) => ({ params: { account_id: accountId } }),
  adminShowGateway: () => ({}),
  adminListAudit: () => ({}),
  listConversations: ({ deviceId }) => query({ device_id: deviceId }),
  getConversation: conversation,
  listConversationMessages: conversation,
  markConversationRead: conversation,
  addSuppressions: ({ recipient }) => ({ body: { phone: recipient } }),
  listSuppressions: ({ recipient }) => query({ phone: recipient }),
  removeSuppression: ({ recipient }) => ({ params: { phone: recipient } }),
  getOptOut: () => ({}),
  setOptOut: () => ({ body: { stop_words: ['STOP'], start_words: ['START'], stop_reply: null, start_reply: null } }),
  listEvents: ({ deviceId }) => query({ after: 'earliest', device_id: deviceId }),
  listRecentEvents: ({ deviceId }) => query({ device_id: deviceId }),
  streamEvents: () => ({}),
  listNotices: () => ({}),
  readNotices: () => ({ body: { notice_id: '1' } }),
  listNoticeChoices: () => ({}),
  chooseNotices: () => ({ body: { kind: 'quota.low', mail: true, bell: true } }),
  createWebhook: ({ deviceId }) => ({ body: { url: 'https://example.com/hook', device_ids: [deviceId] } }),
  listWebhooks: () => ({}),
  getWebhook: webhook,
  updateWebhook: (names) => ({ ...webhook(names), body: { device_ids: [names.deviceId] } }),
  deleteWebhook: webhook,
  rotateWebhookSecret: webhook,
  pingWebhook: webhook,
  replayWebhook: (names) => ({
    ...webhook(names),
    body: { since: new Date(Date.now() - 60_000).toISOString(), dry_run: true },
  }),
  listWebhookAttempts: (names) => ({ ...webhook(names), ...query({ event_id: names.eventId }) }),
  listFailedEvents: webhook,
  resendEvent: ({ webhookId, eventId }) => ({ params: { event_id: eventId }, body: { webhook_id: webhookId } }),
  createTemplate: () => ({ body: { name: 'Pesanan', text: 'Halo {{nama|Kak}}' } }),
  listTemplates: () => ({}),
  previewTemplate: ({ recipient }) => ({ body: { text: 'Halo {{nama|Kak}}', rows: [{ phone: recipient }] } }),
  getTemplate: template,
  listTemplateVersions: template,
  createTemplateVersion: (names) => ({ ...template(names), body: { text: 'Hai' } }),
  archiveTemplate: template,
  createBroadcast: ({ deviceId }) => ({ body: { name: 'Promo', message: 'Halo', device_ids: [deviceId] } }),
  addBroadcastRecipients: (names) => ({
    ...broadcast(names),
    body: { after: 0, rows: [{ phone: '6281234567890', values: {} }] },
  }),
  checkBroadcast: broadcast,
  startBroadcast: (names) => ({ ...broadcast(names), body: {} }),
  pauseBroadcast: broadcast,
  resumeBroadcast: (names) => ({ ...broadcast(names), body: {} }),
  cancelBroadcast: broadcast,
  updateBroadcast: (names) => ({ ...broadcast(names), body: { device_ids: [names.deviceId] } }),
  testBroadcast: (names) => ({ ...broadcast(names), body: { phone: names.recipient } }),
  listBroadcasts: () => ({}),
  getBroadcast: broadcast,
  listBroadcastRecipients: broadcast,
  exportBroadcastResults: broadcast,
  saveContact: () => ({ body: { phone: '081234567890' } }),
  listContacts: ({ recipient }) => query({ phone: `+${recipient}` }),
  exportContacts: ({ recipient }) => query({ phone: `+${recipient}` }),
  checkContacts: ({ recipient }) => ({ body: { phones: [`+${recipient}`] } }),
  listContactLists: () => ({}),
  changeContactLists: ({ recipient }) => ({ body: { filter: { phone: `+${recipient}` }, add: ['x'] } }),
  nameContacts: ({ recipient }) => ({ body: { phones: [recipient] } }),
  getContact: contact,
  updateContact: (names) => ({ ...contact(names), body: { name: 'Other' } }),
  deleteContact: contact,
  createUpload: () => ({ body: { bytes: 4 } }),
  addUploadPart: (names) => ({ ...upload(names), body: { number: 2, data: 'YQ==' } }),
  getUpload: upload,
  createContactImport: ({ uploadId }) => ({ body: { upload_id: uploadId, mapping: { phone: 'HP' } } }),
  getContactImport: contactImport,
  cancelContactImport: contactImport,
  listRefusedRows: contactImport,
  exportRefusedRows: contactImport,
  debugWebhook: (names) => ({ ...webhook(names), body: { headers: `webhook-id: ${names.eventId}`, body: '{}' } }),
};
