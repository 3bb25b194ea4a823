import { numbersFrom } from '../load/numbers.js';
import { type Answer, callGateway } from './call-gateway.js';
import type { MeasuredGateway } from './measured-gateway.js';

const rowsOfRequest = 10_000;

/** Starts a broadcast to many people by one device, through the operations of broadcasts. */
export async function startBroadcast(gateway: MeasuredGateway, deviceId: string, people: number): Promise<void> {
  const { apiKey, apiSecret } = gateway.account;
  const baseUrl = `http://127.0.0.1:${gateway.apiPort}`;
  async function call(path: string, body: object): Promise<Answer['data']> {
    const target = `/api/v1/broadcasts${path}`;
    const answer = await callGateway({ baseUrl, apiKey, apiSecret, deviceId, method: 'POST', target, body });
    if (!answer.success) throw new Error(`${target}: ${JSON.stringify(answer)}`);
    return answer.data;
  }
  const draft = { name: 'bench', message: 'Halo {{nomor}}', category: 'transactional', device_ids: [deviceId] };
  const { broadcast_id: id } = await call('', draft);
  const rows = numbersFrom('62819', people).map((phone) => ({ phone, values: { nomor: phone } }));
  for (let after = 0; after < people; after += rowsOfRequest)
    await call(`/${id}/recipients`, { after, rows: rows.slice(after, after + rowsOfRequest) });
  await call(`/${id}/check`, {});
  await call(`/${id}/start`, {});
}
