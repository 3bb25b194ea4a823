/** An echo bot for Evolution API 2, written from https://doc.evolution-api.com. */
import { type Bot, type BotSettings, postJson, startBotServer } from './bot-server.js';

type Upsert = {
  key: { remoteJid: string; fromMe: boolean; id: string };
  message: { conversation?: string; extendedTextMessage?: { text: string } };
};
type Webhook =
  | { event: 'messages.upsert'; instance: string; apikey: string; data: Upsert }
  | { event: 'messages.update'; instance: string; apikey: string; data: { keyId: string; status: string } };

export function startEvolutionEchoBot({ apiUrl, apiKey, secret }: BotSettings): Promise<Bot> {
  const seen: string[] = [];
  const call = (path: string, body: object) => postJson(apiUrl() + path, { apikey: apiKey }, body, 201);
  return startBotServer('/webhook', seen, async (raw) => {
    // The documentation of Evolution API gives this form.
    const webhook = JSON.parse(raw) as Webhook;
    if (webhook.apikey !== secret) throw new Error('apikey does not match');
    if (webhook.event === 'messages.update') seen.push(`ack ${webhook.data.keyId} ${webhook.data.status}`);
    if (webhook.event !== 'messages.upsert' || webhook.data.key.fromMe) return;
    const { instance, data } = webhook;
    const { key, message } = data;
    const text = message.conversation ?? message.extendedTextMessage?.text ?? '';
    seen.push(`message ${key.id} ${text}`);
    await call(`/chat/markMessageAsRead/${instance}`, { readMessages: [key] });
    await call(`/chat/sendPresence/${instance}`, { number: key.remoteJid, presence: 'composing', delay: 10 });
    const sent = await call(`/message/sendText/${instance}`, { number: key.remoteJid, text, quoted: { key, message } });
    seen.push(`sent ${(sent['key'] as { id: string }).id}`);
  });
}
