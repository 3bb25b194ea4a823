/** `kurir listen` beside a gateway that dies, and a program that dies too. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type KurirEvent, verifyWebhook } from '@kurir/client';
import { makeWebhookSecret } from '@kurir/signing';
import { type RunningProgram, startProgram, waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newPhoneNumber } from './phones/phone.js';
import { sendNumbered } from './stack/numbered-texts.js';
import { type Stack, startStack } from './stack/stack.js';

const secret = makeWebhookSecret();
const got: KurirEvent[] = [];
let stack: Stack;
let program: Server;
let kurir: RunningProgram | null = null;

async function startReceiver(port: number): Promise<void> {
  program = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      got.push(verifyWebhook(secret, request.headers, Buffer.concat(chunks)));
      response.writeHead(204).end();
    });
  }).listen(port, '127.0.0.1');
  await once(program, 'listening');
}

/** An event in flight gets its answer first, because a lost answer would bring it a second time. */
async function stopReceiver(): Promise<void> {
  program.close();
  await once(program, 'close');
}

beforeAll(async () => {
  stack = await startStack();
  await startReceiver(0);
});
afterAll(async () => {
  await kurir?.kill();
  await stopReceiver();
  await stack?.stop();
});

it('hands every event on once and in order, while the gateway and the program are killed', async () => {
  const customer = await stack.createCustomer();
  // A server on a port has an AddressInfo. Only a pipe has a string.
  const { port } = program.address() as AddressInfo;
  const types = ['message.sent', 'message.delivered', 'message.read'];
  const args = [
    'listen',
    '--forward-to',
    `http://127.0.0.1:${port}/hook`,
    '--after',
    'earliest',
    '--types',
    types.join(),
  ];
  const { apiKey, apiSecret } = customer;
  kurir = await startProgram({
    path: 'packages/client/bin/kurir.js',
    args,
    env: {
      KURIR_BASE_URL: stack.baseUrl,
      KURIR_API_KEY: apiKey,
      KURIR_API_SECRET: apiSecret,
      KURIR_WEBHOOK_SECRET: secret,
    },
  });
  const until = (count: number) =>
    waitUntil(async () => got.length >= count, {
      what: `${count} events: ${kurir?.lines.join('\n')}`,
      timeoutMs: 90_000,
    });

  const first = await sendNumbered(customer, newPhoneNumber(), 20);
  await until(10);
  await stack.api.kill();
  await stopReceiver();
  await stack.startApi(Number(new URL(stack.baseUrl).port));
  const second = await sendNumbered(customer, newPhoneNumber(), 20);
  await startReceiver(port);
  await until(120);

  const seen = [...first, ...second].map((jobId) =>
    got.filter(({ subject }) => subject.id === jobId).map(({ type }) => type),
  );
  expect(seen).toEqual(seen.map(() => types));
  expect(got).toHaveLength(120);
  expect(await kurir.stop('SIGINT')).toEqual({ code: 0, signal: null });
});
