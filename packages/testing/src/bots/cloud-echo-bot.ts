/**
 * An echo bot for the WhatsApp Cloud API, written from
 * https://developers.facebook.com/documentation/business-messaging/whatsapp.
 */
import { createHmac } from 'node:crypto';
import { type Bot, type BotSettings, postJson, startBotServer } from './bot-server.js';

type Value = {
  metadata: { phone_number_id: string };
  messages?: { from: string; id: string; type: string; text?: { body: string } }[];
  statuses?: { id: string; status: string; recipient_id: string }[];
};
type Webhook = { object: string; entry: { changes: { field: string; value: Value }[] }[] };

export function startCloudEchoBot({ apiUrl, apiKey, secret }: BotSettings): Promise<Bot> {
  const seen: string[] = [];
  async function echo({ metadata, messages = [], statuses = [] }: Value): Promise<void> {
    for (const { id, status } of statuses) seen.push(`ack ${id} ${status}`);
    const url = `${apiUrl()}/v23.0/${metadata.phone_number_id}/messages`;
    const call = (body: object) =>
      postJson(url, { Authorization: `Bearer ${apiKey}` }, { messaging_product: 'whatsapp', ...body }, 200);
    for (const { from, id, text } of messages) {
      const body = text?.body ?? '';
      seen.push(`message ${id} ${body}`);
      await call({ status: 'read', message_id: id });
      const sent = await call({ to: from, type: 'text', text: { body }, context: { message_id: id } });
      seen.push(`sent ${(sent['messages'] as { id: string }[])[0]?.id}`);
    }
  }
  return startBotServer('/webhook', seen, async (raw, headers) => {
    const signature = `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`;
    if (headers['x-hub-signature-256'] !== signature) throw new Error('X-Hub-Signature-256 does not match');
    // The documentation of the Cloud API gives this form.
    const { entry } = JSON.parse(raw) as Webhook;
    for (const { changes } of entry) for (const { value } of changes) await echo(value);
  });
}
