/** An echo bot for WAHA, written from https://waha.devlike.pro/docs. Its two settings are the address and the key. */
import { createHmac } from 'node:crypto';
import { type Bot, type BotSettings, postJson, startBotServer } from './bot-server.js';

type Webhook = {
  event: string;
  session: string;
  payload: { id: string; from: string; fromMe: boolean; body: string; hasMedia: boolean; ackName: string };
};

export function startWahaEchoBot({ apiUrl, apiKey, secret }: BotSettings): Promise<Bot> {
  const seen: string[] = [];
  const call = (path: string, body: object) => postJson(apiUrl() + path, { 'X-Api-Key': apiKey }, body, 201);
  return startBotServer('/webhook', seen, async (raw, headers) => {
    if (headers['x-webhook-hmac'] !== createHmac('sha512', secret).update(raw).digest('hex'))
      throw new Error('X-Webhook-Hmac does not match');
    // The documentation of WAHA gives this form.
    const { event, session, payload } = JSON.parse(raw) as Webhook;
    if (event === 'message.ack') seen.push(`ack ${payload.id} ${payload.ackName}`);
    if (event !== 'message' || payload.fromMe) return;
    seen.push(`message ${payload.id} ${payload.body}`);
    const chatId = payload.from;
    await call('/api/sendSeen', { session, chatId });
    await call('/api/startTyping', { session, chatId });
    await call('/api/stopTyping', { session, chatId });
    const sent = await call('/api/sendText', { session, chatId, text: payload.body, reply_to: payload.id });
    seen.push(`sent ${String(sent['id'])}`);
  });
}
