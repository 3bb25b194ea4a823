/** Sends a signed request to the gateway that served the page, and to no other. */
import { sandboxNetworks } from '#sandbox-networks';
import { signatureOf } from './sign.js';

export type Credentials = { readonly apiKey: string; readonly apiSecret: string };

export type Request = {
  readonly method: string;
  readonly target: string;
  /** Empty: the request has no device. */
  readonly deviceId: string;
  /** Null: the request has no body. */
  readonly body: string | null;
};

export type Answer = { readonly status: number; readonly requestId: string; readonly text: string };

export async function sendRequest(request: Request, { apiKey, apiSecret }: Credentials): Promise<Answer> {
  const { method, target, deviceId } = request;
  const timestamp = String(Date.now());
  const body = request.body ?? '';
  const signed = { method, target, timestamp, deviceId, idempotencyKey: '', body };
  const answer = await fetch(target, {
    method,
    credentials: 'omit',
    redirect: 'error',
    headers: {
      'X-API-Key': apiKey,
      'X-Timestamp': timestamp,
      'X-Signature': await signatureOf(signed, apiSecret),
      'X-Signature-Version': '2',
      ...(deviceId === '' ? {} : { 'X-Device-Id': deviceId }),
      ...(request.body === null ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(request.body === null ? {} : { body }),
  });
  const text = await answer.text();
  return { status: answer.status, requestId: answer.headers.get('X-Request-Id') ?? '', text: readable(text) };
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

type Device = { readonly device_id: string; readonly network: string; readonly state: string };

/** Returns the first connected device of the sandbox, or null. */
export async function findSandboxDevice(credentials: Credentials): Promise<string | null> {
  const list = { method: 'GET', target: '/api/v1/devices', deviceId: '', body: null };
  const { status, text } = await sendRequest(list, credentials);
  if (status !== 200) return null;
  const { data } = JSON.parse(text) as { data: { devices: readonly Device[] } };
  const usable = data.devices.find(({ network, state }) => sandboxNetworks.includes(network) && state === 'connected');
  return usable?.device_id ?? null;
}
