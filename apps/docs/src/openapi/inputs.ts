/** The values that the samples of the reference send. A test checks each body with the schema of the gateway. */

const id = (prefix: string) => `${prefix}_01kajp4m3s5y8zt0v6qk2c9hbe`;

/** Values of parameters in paths, by their names. */
export const pathValues: Readonly<Record<string, string>> = {
  job_id: id('msg'),
  renewal_id: id('rnw'),
  device_id: id('dev'),
  conversation_id: id('cnv'),
  webhook_id: id('whk'),
  event_id: id('evt'),
  template_id: id('tpl'),
  broadcast_id: id('brc'),
  contact_id: id('con'),
  upload_id: id('upl'),
  import_id: id('imp'),
  phone: '6281234567890',
};

type Fields = Readonly<Record<string, unknown>>;

export const queries: Readonly<Record<string, Fields>> = {
  listMessages: { status: 'delivered', limit: 20 },
  listDevices: { include: 'activity' },
  listConversations: { unread: true },
  listConversationMessages: { limit: 50 },
  listSuppressions: { scope: 'marketing' },
  removeSuppression: { scope: 'marketing' },
  listEvents: { after: 'earliest', limit: 100 },
  listWebhookAttempts: { outcome: 'failed' },
  listBroadcastRecipients: { outcome: 'failed' },
  exportBroadcastResults: { format: 'csv' },
  listContacts: { list: 'promo' },
  exportContacts: { list: 'promo', format: 'csv' },
  listRequests: { outcome: '4xx', limit: 20 },
  listAudit: { group: 'keys', limit: 20 },
  exportAudit: { group: 'keys', time_zone: 'Asia/Jakarta' },
};

const text = '{{pick:Halo|Hai}} {{nama|Kak}}, pesanan {{kode}} sudah siap.';
const phone = '6281234567890';

export const bodies: Readonly<Record<string, Fields>> = {
  sendMessage: { message: 'Kode Anda 493021', phone_destination: phone, priority: 'otp', client_ref: 'login-7781' },
  sendBulk: { messages: [{ message: 'Pesanan Anda siap', phone_destination: phone, client_ref: 'order-7781' }] },
  chatPresence: { action: 'start', phone_destination: phone },
  cancelMessages: { filter: { priority: 'bulk' } },
  createDevice: { name: 'Toko', network: 'simulator', client_ref: 'shop-1' },
  updateDevice: { name: 'Kasir', pace_per_minute: 20 },
  linkDevice: { method: 'qr' },
  addSuppressions: { phone, reason: 'complaint' },
  setOptOut: { stop_words: ['STOP', 'BERHENTI'], start_words: ['START', 'MULAI'], stop_reply: null, start_reply: null },
  createWebhook: { url: 'https://shop.example.com/kurir', types: ['message.delivered', 'message.failed'] },
  updateWebhook: { description: 'Shop', max_per_second: 50 },
  replayWebhook: { since: '2026-11-21T09:00:00Z', dry_run: true },
  resendEvent: { webhook_id: id('whk') },
  createTemplate: { name: 'Pesanan siap', text },
  createTemplateVersion: { text: 'Halo {{nama|Kak}}, pesanan {{kode}} siap diambil.', base_version: 1 },
  previewTemplate: { text, rows: [{ phone, values: { nama: 'Budi', kode: 'A-17' } }] },
  createBroadcast: {
    name: 'Promo November',
    message: 'Halo {{nama|Kak}}, diskon sampai Jumat.',
    footer: 'Balas STOP untuk berhenti',
    device_ids: [id('dev')],
    audience: { rows: [{ phone, values: { nama: 'Budi' } }] },
  },
  addBroadcastRecipients: { after: 1, rows: [{ phone: '6281234567891', values: { nama: 'Sari' } }] },
  startBroadcast: {},
  resumeBroadcast: { scope: 'pending' },
  updateBroadcast: { pace_per_minute: 60 },
  testBroadcast: { phone, values: { nama: 'Budi' } },
  saveContact: { phone: '0812 3456 7890', name: 'Budi', attributes: { kota: 'Bandung' }, lists: ['promo'] },
  updateContact: { name: 'Budi Santoso' },
  changeContactLists: { filter: { list: 'promo' }, add: ['november'] },
  checkContacts: { phones: ['0812 3456 7890'] },
  createUpload: { bytes: 11, file_name: 'contacts.csv' },
  addUploadPart: { number: 1, data: 'SFAsTmFtYQo=' },
  createContactImport: { upload_id: id('upl'), mapping: { phone: 'HP', name: 'Nama' }, lists: ['promo'] },
};
