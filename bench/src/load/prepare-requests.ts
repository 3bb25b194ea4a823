/**
 * Makes signed requests as the bytes of the wire, before the clock starts. Each request has a text or recipient that no
 * other request of the same second has, so each signature is unique.
 */
import { signRequest } from '@kurir/signing';

export type RequestPlan = {
  readonly target: '/api/v1/messages/send' | '/api/v1/messages/bulk';
  readonly requests: number;
  /** How many messages each request holds; 1 for a single send. */
  readonly messages: number;
  readonly priority: 'otp' | 'normal' | 'bulk';
  readonly apiKey: string;
  readonly apiSecret: string;
  /** The requests use these in turn. */
  readonly deviceIds: readonly string[];
  /** The messages use these in turn. Without them each message has a new recipient. */
  readonly recipients?: readonly string[];
};

export type MessageBody = {
  readonly message: string;
  readonly phone_destination: string;
  readonly priority: RequestPlan['priority'];
};

let made = 0;

/**
 * Makes the next message; no two have the same text and recipient. Numbers that begin with 62813 are possible, and
 * those that end in 1 are on the network.
 */
export function nextMessage(priority: RequestPlan['priority']): MessageBody {
  made++;
  const code = String((made * 7_919) % 1_000_000).padStart(6, '0');
  return {
    message: `Kode verifikasi Anda ${code}. Berlaku 5 menit. Jangan berikan kode ini kepada siapa pun.`,
    phone_destination: `62813${String(made % 10_000_000).padStart(7, '0')}1`,
    priority,
  };
}

function planned({ priority, recipients }: RequestPlan): MessageBody {
  const message = nextMessage(priority);
  return { ...message, phone_destination: recipients?.[made % recipients.length] ?? message.phone_destination };
}

function bodyOf(plan: RequestPlan): string {
  if (plan.target === '/api/v1/messages/send') return JSON.stringify(planned(plan));
  return JSON.stringify({ messages: Array.from({ length: plan.messages }, () => planned(plan)) });
}

function prepareOne(plan: RequestPlan, deviceId: string): Buffer {
  const { target, apiKey, apiSecret } = plan;
  const body = bodyOf(plan);
  const timestamp = String(Date.now());
  const signature = signRequest({ method: 'POST', target, timestamp, body, secret: apiSecret });
  const head = [
    `POST ${target} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-API-Key: ${apiKey}`,
    `X-Timestamp: ${timestamp}`,
    `X-Signature: ${signature}`,
    `X-Device-Id: ${deviceId}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

export function prepareRequests(plan: RequestPlan): Buffer[] {
  const { deviceIds } = plan;
  return Array.from({ length: plan.requests }, (_, i) => prepareOne(plan, deviceIds[i % deviceIds.length] ?? ''));
}
