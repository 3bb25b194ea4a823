/** A customer whose things others try to see or to change, and all rows of an account. */
import { createCustomer, type Customer } from './customer-fixture.js';
import { writeTo } from './inbound-fixture.js';
import type { Names } from './requests-with-names.js';
import { aMessage, call } from './signed-request.js';
import type { TestApi } from './test-api.js';

/** A customer who has one thing of each kind. `secrets`: the texts and ids that nobody else may see. */
export async function createVictim(t: TestApi): Promise<{ victim: Customer; names: Names; secrets: string[] }> {
  const victim = await createCustomer(t.database, { quota: 10 });
  const [clientRef, recipient] = [`ref-${victim.accountId}`, '6281111111111'];
  const body = { ...aMessage, phone_destination: recipient, client_ref: clientRef };
  const sent = await call(t.url, victim, 'sendMessage', { body });
  const renewal = await call(t.url, victim, 'renewAccount');
  const jobId = String(sent.body.data['job_id']);
  const renewalId = String(renewal.body.data['renewal_id']);
  const webhook = await call(t.url, victim, 'createWebhook', { body: { url: 'https://example.com/hook' } });
  const { webhook_id: webhookId } = webhook.body.data['webhook'] as { webhook_id: string };
  await call(t.url, victim, 'pingWebhook', { webhookId });
  const { events } = (await call(t.url, victim, 'listEvents', { query: 'after=earliest&wait=10' })).body.data;
  const [{ id: eventId } = { id: 'none' }] = events as { id: string }[];
  const conversationId = await writeTo(t.database, victim.deviceId, 'secret of a person');
  const template = await call(t.url, victim, 'createTemplate', { body: { name: 'Rahasia', text: 'secret offer' } });
  const templateId = String(template.body.data['template_id']);
  await call(t.url, victim, 'addSuppressions', { body: { phone: recipient } });
  const broadcast = await call(t.url, victim, 'createBroadcast', {
    body: {
      name: 'secret promo',
      message: 'Halo',
      device_ids: [victim.deviceId],
      audience: { rows: [{ phone: recipient }] },
    },
  });
  const broadcastId = String(broadcast.body.data['broadcast_id']);
  const saved = { phone: `+${recipient}`, name: 'Name of a person', lists: ['list of a stranger'] };
  const contact = await call(t.url, victim, 'saveContact', { body: saved });
  const { contact_id: contactId } = contact.body.data['contact'] as { contact_id: string };
  const file = Buffer.from('HP,Nama\n081234567890,Name in a file\n');
  const begun = await call(t.url, victim, 'createUpload', { body: { bytes: file.length } });
  const uploadId = String(begun.body.data['upload_id']);
  const part = { number: 1, data: file.toString('base64') };
  await call(t.url, victim, 'addUploadPart', { uploadId, body: part });
  const wish = { upload_id: uploadId, mapping: { phone: 'HP' } };
  const imported = await call(t.url, victim, 'createContactImport', { body: wish });
  const importId = String(imported.body.data['import_id']);
  const names = {
    keyId: victim.key.id,
    deviceId: victim.deviceId,
    jobId,
    renewalId,
    webhookId,
    eventId,
    templateId,
    broadcastId,
    clientRef,
    recipient,
    conversationId,
    contactId,
    uploadId,
    importId,
  };
  return {
    victim,
    names,
    secrets: [
      victim.accountId,
      victim.deviceId,
      jobId,
      clientRef,
      recipient,
      webhookId,
      eventId,
      templateId,
      'secret offer',
      broadcastId,
      'secret promo',
      conversationId,
      'secret of a person',
      contactId,
      'Name of a person',
      uploadId,
      importId,
      'Name in a file',
      'list of a stranger',
      String(renewal.body.data['payment_url']),
    ],
  };
}

/** Returns all rows of an account. */
export async function storedOf({ database }: TestApi, { accountId }: Customer): Promise<unknown> {
  const read = async (text: string) => (await database.pool.query(text, [accountId])).rows as unknown[];
  return Promise.all([
    read('SELECT * FROM devices WHERE account_id = $1 ORDER BY id'),
    read('SELECT * FROM messages WHERE account_id = $1 ORDER BY seq'),
    read('SELECT * FROM conversations WHERE account_id = $1 ORDER BY id'),
    read('SELECT * FROM suppressions WHERE account_id = $1 ORDER BY recipient_key'),
    read('SELECT opt_out FROM accounts WHERE id = $1'),
    read('SELECT * FROM contacts WHERE account_id = $1 ORDER BY id'),
    read('SELECT * FROM contact_imports WHERE account_id = $1 ORDER BY id'),
    read('SELECT p.* FROM upload_parts p JOIN uploads u ON u.id = p.upload_id WHERE u.account_id = $1'),
    read('SELECT * FROM subscription_periods WHERE account_id = $1 ORDER BY id'),
    read('SELECT * FROM renewals WHERE account_id = $1 ORDER BY id'),
    read('SELECT * FROM plan_choices WHERE account_id = $1 ORDER BY id'),
    read('SELECT * FROM audit_log WHERE account_id = $1 ORDER BY id'),
    read('SELECT * FROM webhooks WHERE account_id = $1 ORDER BY id'),
    read('SELECT * FROM broadcasts WHERE account_id = $1 ORDER BY id'),
    read('SELECT * FROM broadcast_audiences WHERE account_id = $1 ORDER BY 1'),
    read(
      'SELECT r.* FROM broadcast_recipients r JOIN broadcasts b ON b.id = r.broadcast_id WHERE b.account_id = $1 ORDER BY 1, 2',
    ),
    read('SELECT * FROM templates t JOIN template_versions v ON v.template_id = t.id WHERE account_id = $1 ORDER BY 1'),
    read(
      'SELECT s.*, r.probes FROM webhook_secrets s JOIN webhook_readers r USING (webhook_id) JOIN webhooks w ON w.id = r.webhook_id WHERE w.account_id = $1 ORDER BY 1, 2',
    ),
    read(
      'SELECT t.* FROM webhook_retries t JOIN webhooks w ON w.id = t.webhook_id WHERE w.account_id = $1 ORDER BY seq',
    ),
    read(
      'SELECT t.* FROM webhook_replays t JOIN webhooks w ON w.id = t.webhook_id WHERE w.account_id = $1 ORDER BY t.id',
    ),
    read('SELECT * FROM request_keys WHERE scope = $1 ORDER BY value'),
  ]);
}
