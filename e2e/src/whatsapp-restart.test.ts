/** The relay of `npm start -- --whatsapp-relay` stops and starts again: linked devices stay linked. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDevice, linkByQr, patienceMs, untilState } from './customers/whatsapp-device.js';
import { type RelayProgram, type RelayProgramOptions, startRelay } from './phones/whatsapp-relay.js';
import { type Stack, startStack } from './stack/stack.js';

let folder: string;
let options: Required<RelayProgramOptions>;
let relay: RelayProgram;
let stack: Stack;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kurir-relay-'));
  options = { port: await freePort(), stateFile: join(folder, 'state') };
  relay = await startRelay(options);
  stack = await startStack({ env: { ...relay.env, KURIR_ACK_TIMEOUT_MS: '5000' } });
});
afterAll(async () => {
  await stack?.stop();
  await relay?.stop();
  await rm(folder, { recursive: true });
});

const friend = '4915550000001';

it('a device sends again without linking, and the inbox is unchanged', async () => {
  const account = await stack.createCustomer({ devices: 0 });
  const { customer, number } = await linkByQr(relay, await createDevice(account));
  const sendOne = async (message: string) => {
    const { jobId } = await customer.client.sendMessage({ message, phoneDestination: friend });
    await customer.client.waitForJob(jobId, { until: 'delivered', timeoutMs: patienceMs });
  };
  const inbox = async () =>
    (await relay.inbox(friend)).filter(({ from }) => from === number).map(({ text, copies }) => ({ text, copies }));
  await sendOne('before');
  const [linked] = await relay.devices(number);
  // The relay loses everything that it has not written to its file, including who must learn of a recipient's new
  // device.
  await waitUntil(async () => (await readFile(options.stateFile)).includes('before'), { what: 'the text is kept' });

  await relay.stop();
  await untilState(customer, 'connecting');
  relay = await startRelay(options);
  await untilState(customer, 'connected');
  await sendOne('after');
  expect(await relay.devices(number)).toMatchObject([{ id: Object(linked).id, connected: true }]);
  await waitUntil(async () => (await inbox()).length === 2, { what: 'both texts are there', timeoutMs: patienceMs });
  expect(await inbox()).toEqual([
    { text: 'before', copies: 1 },
    { text: 'after', copies: 1 },
  ]);
});
