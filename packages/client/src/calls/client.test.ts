import { publicOperations, type PublicOperationName, publicOperationNames } from '@kurir/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiKey, apiSecret, type Gateway, startGateway } from '../../test/gateway-fixture.js';
import { type ClientOptions, createClient, type KurirClient, KurirUsageError } from '../index.js';
import { routes } from '../contract/routes.js';

let gateway: Gateway;

beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(() => gateway.close());

function client(options: Partial<ClientOptions> = {}): KurirClient {
  return createClient({ baseUrl: gateway.baseUrl, apiKey, apiSecret, deviceId: 'dev_1', ...options });
}

const number = '6281234567890';

const calls: { [O in PublicOperationName]: (kurir: KurirClient) => Promise<unknown> } = {
  sendMessage: (kurir) => kurir.sendMessage({ message: 'Halo 👋', phoneDestination: number }),
  sendBulk: (kurir) => kurir.sendBulk({ messages: [{ message: 'Halo', phoneDestination: number }] }),
  chatPresence: (kurir) => kurir.chatPresence({ action: 'stop', phoneDestination: number }),
  listMessages: (kurir) => kurir.listMessages(),
  getMessage: (kurir) => kurir.getMessage('msg_7'),
  readMessageText: (kurir) => kurir.readMessageText('msg_7'),
  cancelMessage: (kurir) => kurir.cancelMessage('msg_7'),
  cancelMessages: (kurir) => kurir.cancelMessages({ filter: { phoneDestination: number } }),
  renewAccount: (kurir) => kurir.renewAccount(),
  getRenewal: (kurir) => kurir.getRenewal('rnw_1'),
  createDevice: (kurir) => kurir.createDevice({ name: 'Toko' }),
  updateDevice: (kurir) => kurir.updateDevice({ pacePerMinute: 10 }),
  listDevices: (kurir) => kurir.listDevices(),
  linkDevice: (kurir) => kurir.linkDevice(),
  cancelLink: (kurir) => kurir.cancelLink(),
  reconnectDevice: (kurir) => kurir.reconnectDevice(),
  disconnectDevice: (kurir) => kurir.disconnectDevice(),
  deleteDevice: (kurir) => kurir.deleteDevice('dev_1'),
  deviceInfo: (kurir) => kurir.deviceInfo(),
  deviceHealth: (kurir) => kurir.deviceHealth('dev_1'),
  accountInfo: (kurir) => kurir.accountInfo(),
  listConversations: (kurir) => kurir.listConversations({ unread: true }),
  getConversation: (kurir) => kurir.getConversation('cnv_1'),
  listConversationMessages: (kurir) => kurir.listConversationMessages('cnv_1', { limit: 10 }),
  markConversationRead: (kurir) => kurir.markConversationRead('cnv_1'),
  addSuppressions: (kurir) => kurir.addSuppressions({ phones: [number], scope: 'all' }),
  listSuppressions: (kurir) => kurir.listSuppressions({ phone: number, limit: 10 }),
  removeSuppression: (kurir) => kurir.removeSuppression('lid:1', { scope: 'all' }),
  getOptOut: (kurir) => kurir.getOptOut(),
  setOptOut: (kurir) =>
    kurir.setOptOut({ stopWords: ['STOP'], startWords: ['START'], stopReply: null, startReply: null }),
  listEvents: (kurir) => kurir.listEvents(),
  latestPlan: (kurir) => kurir.latestPlan(),
  createWebhook: (kurir) => kurir.createWebhook({ url: 'https://example.com/hook' }),
  listWebhooks: (kurir) => kurir.listWebhooks(),
  getWebhook: (kurir) => kurir.getWebhook('whk_1'),
  updateWebhook: (kurir) => kurir.updateWebhook('whk_1', { enabled: true }),
  deleteWebhook: (kurir) => kurir.deleteWebhook('whk_1'),
  rotateWebhookSecret: (kurir) => kurir.rotateWebhookSecret('whk_1'),
  pingWebhook: (kurir) => kurir.pingWebhook('whk_1'),
  replayWebhook: (kurir) => kurir.replayWebhook('whk_1', { since: new Date(), dryRun: true }),
  listWebhookAttempts: (kurir) => kurir.listWebhookAttempts('whk_1', { outcome: 'failed', limit: 5 }),
  listFailedEvents: (kurir) => kurir.listFailedEvents('whk_1'),
  createTemplate: (kurir) => kurir.createTemplate({ name: 'Promo', text: 'Halo' }),
  listTemplates: (kurir) => kurir.listTemplates({ limit: 5 }),
  previewTemplate: (kurir) => kurir.previewTemplate({ text: 'Halo', rows: [{ phone: number }] }),
  getTemplate: (kurir) => kurir.getTemplate('tpl_1'),
  listTemplateVersions: (kurir) => kurir.listTemplateVersions('tpl_1'),
  createTemplateVersion: (kurir) => kurir.createTemplateVersion('tpl_1', { text: 'Hai', baseVersion: 1 }),
  archiveTemplate: (kurir) => kurir.archiveTemplate('tpl_1'),
  createBroadcast: (kurir) => {
    const audience = { uploadId: 'upl_1', mapping: { phone: 'HP', values: { nama: 'Nama' } } };
    return kurir.createBroadcast({ name: 'Promo', message: 'Halo', deviceIds: ['dev_1'], audience });
  },
  addBroadcastRecipients: (kurir) => kurir.addBroadcastRecipients('brc_1', { after: 0, rows: [{ phone: number }] }),
  checkBroadcast: (kurir) => kurir.checkBroadcast('brc_1'),
  startBroadcast: (kurir) => kurir.startBroadcast('brc_1'),
  pauseBroadcast: (kurir) => kurir.pauseBroadcast('brc_1'),
  resumeBroadcast: (kurir) => kurir.resumeBroadcast('brc_1', { scope: 'failed' }),
  cancelBroadcast: (kurir) => kurir.cancelBroadcast('brc_1'),
  updateBroadcast: (kurir) => kurir.updateBroadcast('brc_1', { pacePerMinute: 60 }),
  testBroadcast: (kurir) => kurir.testBroadcast('brc_1', { phone: number, values: { namaDepan: 'Budi' } }),
  listBroadcasts: (kurir) => kurir.listBroadcasts({ limit: 5 }),
  getBroadcast: (kurir) => kurir.getBroadcast('brc_1'),
  listBroadcastRecipients: (kurir) => kurir.listBroadcastRecipients('brc_1', { outcome: 'failed' }),
  exportBroadcastResults: async (kurir) => {
    let text = '';
    for await (const piece of kurir.exportBroadcastResults('brc_1', { format: 'csv' })) text += piece;
    return { text };
  },
  saveContact: (kurir) => kurir.saveContact({ phone: '0812-3456-7890', attributes: { kotaAsal: 'Bandung' } }),
  listContacts: (kurir) => kurir.listContacts({ hasConsent: true, limit: 10 }),
  listRequests: (kurir) => kurir.listRequests({ outcome: '4xx', limit: 10 }),
  listAudit: (kurir) => kurir.listAudit({ group: 'keys', since: new Date() }),
  exportAudit: async (kurir) => {
    let text = '';
    for await (const piece of kurir.exportAudit({ timeZone: 'Asia/Jakarta' })) text += piece;
    return { text };
  },
  exportContacts: async (kurir) => {
    let text = '';
    for await (const piece of kurir.exportContacts({ format: 'csv' })) text += piece;
    return { text };
  },
  checkContacts: (kurir) => kurir.checkContacts([number]),
  listContactLists: (kurir) => kurir.listContactLists(),
  changeContactLists: (kurir) => kurir.changeContactLists({ filter: { list: 'lama' }, add: ['promo'] }),
  getContact: (kurir) => kurir.getContact('con_1'),
  updateContact: (kurir) => kurir.updateContact('con_1', { name: null }),
  deleteContact: (kurir) => kurir.deleteContact('con_1'),
  createUpload: (kurir) => kurir.createUpload({ bytes: 4, fileName: 'a.csv' }),
  addUploadPart: (kurir) => kurir.addUploadPart('upl_1', { number: 1, data: 'YQ==' }),
  getUpload: (kurir) => kurir.getUpload('upl_1'),
  createContactImport: (kurir) => kurir.createContactImport({ uploadId: 'upl_1', mapping: { phone: 'HP' } }),
  getContactImport: (kurir) => kurir.getContactImport('imp_1'),
  cancelContactImport: (kurir) => kurir.cancelContactImport('imp_1'),
  listRefusedRows: (kurir) => kurir.listRefusedRows('imp_1', { limit: 10 }),
  exportRefusedRows: async (kurir) => {
    let text = '';
    for await (const piece of kurir.exportRefusedRows('imp_1')) text += piece;
    return { text };
  },
  resendEvent: (kurir) => kurir.resendEvent('evt_1', { webhookId: 'whk_1' }),
};

describe.each(publicOperationNames)('%s', (operation) => {
  it('is signed, follows the route table and resolves with the data', async () => {
    await expect(calls[operation](client())).resolves.toBeTypeOf('object');
    const [request] = gateway.accepted;
    expect(request?.operation).toBe(operation);
    expect(request?.headers['x-device-id']).toBe(publicOperations[operation].device ? 'dev_1' : undefined);
    expect(request?.headers['content-type']).toBe(publicOperations[operation].body ? 'application/json' : undefined);
  });

  it('has the route of the contracts', () => {
    const { method, path, device, repeat } = publicOperations[operation];
    expect(routes[operation]).toEqual({ method, path, device, repeat });
  });
});

describe('the device', () => {
  it('is signed as it is sent, without blanks around it', async () => {
    await client({ deviceId: ' dev_1\t' }).deviceInfo();
    expect(gateway.accepted[0]?.headers['x-device-id']).toBe('dev_1');
  });
});

describe('inputs', () => {
  it('become snake_case, a Date becomes ISO text, and an undefined field is not sent', async () => {
    const sendAt = new Date('2026-11-22T09:00:00+07:00');
    await client().sendMessage({
      message: ' spaces stay ',
      phoneDestination: number,
      clientRef: 'order-7781',
      ttlSeconds: 60,
      sendAt,
      priority: undefined,
    });
    expect(JSON.parse(gateway.received[0]?.body ?? '')).toEqual({
      message: ' spaces stay ',
      phone_destination: number,
      client_ref: 'order-7781',
      ttl_seconds: 60,
      send_at: '2026-11-22T02:00:00.000Z',
    });
  });

  it('of a template keep the names that a customer gave to values', async () => {
    const values = { namaDepan: 'Budi', kode_1: 'A' };
    await client().previewTemplate({ text: 'Halo', rows: [{ phone: number, values }] });
    expect(JSON.parse(gateway.received[0]?.body ?? '').rows).toEqual([{ phone: number, values }]);
  });

  it('of a list become an encoded query that is signed as it is sent', async () => {
    await client().listMessages({ phoneDestination: number, clientRef: 'a b&c=ü+', limit: 5, cursor: undefined });
    const [request] = gateway.accepted;
    expect(request?.target).toBe(`/api/v1/messages?phone_destination=${number}&client_ref=a+b%26c%3D%C3%BC%2B&limit=5`);
  });

  it('of a list may have a Date, which becomes ISO text', async () => {
    await client().listMessages({ since: new Date('2026-11-21T09:00:00Z') });
    expect(gateway.received[0]?.target).toBe('/api/v1/messages?since=2026-11-21T09%3A00%3A00.000Z');
  });

  it('of a bulk get a client_ref each', async () => {
    const message = { message: 'Halo', phoneDestination: number };
    await client().sendBulk({ messages: [message, { ...message, clientRef: 'mine' }, message] });
    const references = JSON.parse(gateway.received[0]?.body ?? '').messages.map(
      (sent: { client_ref: string }) => sent.client_ref,
    );
    expect(references[1]).toBe('mine');
    expect(new Set(references).size).toBe(3);
  });

  it('two equal sends at once are two messages', async () => {
    const { sendMessage } = client();
    const message = { message: 'Halo', phoneDestination: number };
    const sent = await Promise.all([sendMessage(message), sendMessage(message)]);
    expect(new Set(sent.map(({ jobId }) => jobId)).size).toBe(2);
  });
});

describe('answers', () => {
  it('come in camelCase', async () => {
    const job = await client().getMessage('msg_7');
    expect(job).toMatchObject({ jobId: 'msg_7', networkMessageId: '3EB0AA', timeline: [{ status: 'queued' }] });
  });
});

describe('the device', () => {
  it('of one call replaces that of the client', async () => {
    await client().deviceInfo({ deviceId: 'dev_2' });
    expect(gateway.received[0]?.headers['x-device-id']).toBe('dev_2');
  });

  it('must be named before anything is sent', async () => {
    await expect(client({ deviceId: undefined }).deviceInfo()).rejects.toBeInstanceOf(KurirUsageError);
    expect(gateway.received).toEqual([]);
  });
});

describe('the base URL', () => {
  it('may have a path, which is signed too', async () => {
    await expect(client({ baseUrl: `${gateway.baseUrl}/gateway/` }).accountInfo()).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(gateway.received[0]?.target).toBe('/gateway/api/v1/account/info');
  });

  it.each([
    '',
    'localhost:3000',
    'ftp://gateway',
    'http://user:pass@gateway',
    'http://gateway/?a=1',
    'http://gateway/#a',
  ])('is refused when it is %j', (baseUrl) => {
    expect(() => client({ baseUrl })).toThrow(KurirUsageError);
  });
});

describe('a job id', () => {
  it.each(['', '..', 'msg_1/cancel', 'msg_1?x=1', 'msg 1'])('is refused when it is %j', async (jobId) => {
    await expect(client().cancelMessage(jobId)).rejects.toThrow('is not a job id');
    expect(gateway.received).toEqual([]);
  });
});

it('keys without a value are refused at once', () => {
  expect(() => client({ apiSecret: '' })).toThrow('apiSecret');
});
