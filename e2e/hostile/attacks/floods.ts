/** Attacks that cost the attacker little and are meant to cost the api much. */
import { limits, publicOperations } from '@kurir/contracts';
import type { Customer } from '../../src/customers/customer.js';
import { signedFetch } from '../../src/customers/signed-fetch.js';
import { many, send, statusesIn } from './connection.js';

const target = publicOperations.sendBulk.path;
const chunk = Buffer.alloc(64 * 1024, ' ');
const junkBytes = limits.bulkBodyMaxBytes - 1;

const unsigned = (bytes: number) =>
  [
    `POST ${target} HTTP/1.1`,
    'Host: 127.0.0.1',
    'X-API-Key: kk_live_0',
    `X-Timestamp: ${Date.now()}`,
    `X-Signature: ${'0'.repeat(64)}`,
    'X-Device-Id: dev_0',
    'Content-Type: application/json',
    `Content-Length: ${bytes}`,
    '\r\n',
  ].join('\r\n');

export type FloodResult = {
  readonly answered: number;
  readonly megabytesTaken: number;
};

/** Unsigned requests, each with the largest body that may be declared. */
export async function floodWithJunk(baseUrl: string, connections: number): Promise<FloodResult> {
  const body = { chunk, bytes: junkBytes };
  const endings = await many(connections, () => send(baseUrl, { head: unsigned(junkBytes), body, waitMs: 30_000 }));
  return {
    answered: endings.filter(({ text }) => statusesIn(text)[0] === 401).length,
    megabytesTaken: Math.round(endings.reduce((sum, { writtenBytes }) => sum + writtenBytes, 0) / 1024 / 1024),
  };
}

/** Requests whose heads or bodies come byte by byte. Resolves with how many the server still serves at the end. */
export async function dripSlowly(baseUrl: string, connections: number, waitMs: number): Promise<number> {
  const endings = await many(connections, (index) =>
    index % 2 === 0
      ? send(baseUrl, { head: unsigned(junkBytes), drip: { text: ' ', everyMs: 200 }, waitMs })
      : send(baseUrl, { head: 'GET / HTTP/1.1\r\nHost: x\r\nX-A: ', drip: { text: 'a', everyMs: 200 }, waitMs }),
  );
  return endings.filter(({ wasClosed }) => !wasClosed).length;
}

const brackets = '['.repeat(4_000_000) + ']'.repeat(4_000_000);
const keys = `{${Array.from({ length: 600_000 }, (_, i) => `"k${i}":0`).join(',')}}`;

function largestBulk(): string {
  const message = { phone_destination: '6281234567890', priority: 'bulk', ttl_seconds: 600 };
  const list = Array.from({ length: limits.bulkMaxMessages }, () => ({ ...message, message: 'x'.repeat(4_000) }));
  return JSON.stringify({ messages: list });
}

export const costlyBodies = { brackets, keys, largestBulk: largestBulk() } as const;

/** A signed bulk. Resolves with its status. */
export async function sendCostly(
  baseUrl: string,
  customer: Customer,
  name: keyof typeof costlyBodies,
): Promise<number> {
  const { deviceId } = customer;
  const answer = await signedFetch(baseUrl, customer, { method: 'POST', target, body: costlyBodies[name], deviceId });
  return answer.status;
}

/** Signatures that are none, for a key that exists. */
export function guessSignatures(baseUrl: string, customer: Customer, count: number): Promise<number[]> {
  return many(count, async () => {
    const headers = { 'X-Signature': '0'.repeat(64) };
    const { path } = publicOperations.accountInfo;
    return (await signedFetch(baseUrl, customer, { method: 'GET', target: path, headers })).status;
  });
}
