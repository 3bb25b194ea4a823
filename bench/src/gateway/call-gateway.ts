/** Makes one signed request to the gateway, as a customer does. */
import { signRequest } from '@kurir/signing';
import type { MeasuredGateway } from './measured-gateway.js';

export type Call = {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly deviceId: string;
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly target: string;
  readonly body?: object;
};

/** The api's own tests check this shape. */
export type Answer = { readonly success: boolean; readonly message: string; readonly data: Record<string, string> };

export async function callGateway(call: Call): Promise<Answer> {
  const { baseUrl, method, target } = call;
  const body = call.body === undefined ? '' : JSON.stringify(call.body);
  const timestamp = String(Date.now());
  const response = await fetch(`${baseUrl}${target}`, {
    method,
    headers: {
      'Content-Type': 'application/json',
      'X-API-Key': call.apiKey,
      'X-Timestamp': timestamp,
      'X-Signature': signRequest({ method, target, timestamp, body, secret: call.apiSecret }),
      'X-Device-Id': call.deviceId,
    },
    ...(body === '' ? {} : { body }),
  });
  return (await response.json()) as Answer;
}

/** Calls the measured api. Rejects unless the answer is a success. */
export async function callMeasuredGateway(
  { apiPort, account: { apiKey, apiSecret } }: Pick<MeasuredGateway, 'apiPort' | 'account'>,
  call: Omit<Call, 'baseUrl' | 'apiKey' | 'apiSecret'>,
): Promise<void> {
  const { success, message } = await callGateway({
    baseUrl: `http://127.0.0.1:${apiPort}`,
    apiKey,
    apiSecret,
    ...call,
  });
  if (!success) throw new Error(`${call.method} ${call.target}: ${message}`);
}
