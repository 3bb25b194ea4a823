/** Bots that were written for other gateways, beside `kurir bridge`: a phone writes, and the bot's answer arrives. */
import {
  type Bot,
  type RunningProgram,
  startCloudEchoBot,
  startEvolutionEchoBot,
  startProgram,
  startWahaEchoBot,
  waitUntil,
} from '@kurir/testing';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Customer } from './customers/customer.js';
import { newPhoneNumber, readInbox, writeFrom } from './phones/phone.js';
import { type Stack, startStack } from './stack/stack.js';

const key = 'bot-key';
const secret = 'bot-secret';

let stack: Stack;
let bot: Bot | null = null;
let bridge: RunningProgram | null = null;

beforeAll(async () => {
  stack = await startStack();
});
afterEach(async () => {
  await bridge?.kill();
  await bot?.close();
  bridge = null;
  bot = null;
});
afterAll(() => stack?.stop());

async function startBridge(peer: string, botUrl: string, customer: Customer): Promise<string> {
  const { apiKey, apiSecret, deviceId } = customer;
  bridge = await startProgram({
    path: 'packages/client/bin/kurir.js',
    args: ['bridge', '--as', peer, '--forward-to', botUrl, '--port', '0', '--after', 'earliest'],
    env: {
      KURIR_BASE_URL: stack.baseUrl,
      KURIR_API_KEY: apiKey,
      KURIR_API_SECRET: apiSecret,
      KURIR_DEVICE_ID: deviceId,
      KURIR_BRIDGE_KEY: key,
      KURIR_BRIDGE_SECRET: secret,
    },
  });
  const line = await bridge.waitForLine(/^\w+ at http/);
  return /http:\/\/[\d.:]+/.exec(line)?.[0] ?? '';
}

it.each([
  ['waha', startWahaEchoBot, 'READ'],
  ['evolution', startEvolutionEchoBot, 'READ'],
  ['cloud', startCloudEchoBot, 'read'],
] as const)('an echo bot for %s answers a person, and hears that the answer was read', async (peer, startBot, read) => {
  const customer = await stack.createCustomer();
  let apiUrl = '';
  bot = await startBot({ apiUrl: () => apiUrl, apiKey: key, secret });
  apiUrl = await startBridge(peer, bot.url, customer);
  const phone = newPhoneNumber();
  const { devices } = await customer.client.listDevices();
  const text = `Halo ${peer} é 🚀`;
  await writeFrom(stack, phone, devices[0]?.phoneNumber ?? '', text);
  const until = async (what: string, isSo: () => boolean | undefined | Promise<boolean>) => {
    const seen = () => `${bot?.seen.join('\n')}\n${bridge?.lines.join('\n')}`;
    const check = async () => {
      if (await isSo()) return true;
      throw new Error(seen());
    };
    await waitUntil(check, { what, timeoutMs: 60_000 });
  };
  await until('the phone has the answer', async () =>
    (await readInbox(stack, phone)).some((entry) => entry.text === text),
  );
  await until('the bot hears that its answer was read', () =>
    bot?.seen.some((line) => line.startsWith('ack') && line.endsWith(read)),
  );
  expect((await readInbox(stack, phone)).map((entry) => entry.text)).toEqual([text]);
  expect(bot.seen.filter((line) => line.startsWith('message'))).toHaveLength(1);
  expect(await bridge?.stop('SIGINT')).toEqual({ code: 0, signal: null });
});
