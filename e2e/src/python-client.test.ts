/**
 * The Python client as a stranger uses it: installed from its folder by pip, with the code of its README, against a gateway.
 */
import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeWebhookSecret, signWebhook } from '@kurir/signing';
import { afterAll, beforeAll, beforeEach, expect, it, type TestContext } from 'vitest';
import type { Customer } from './customers/customer.js';
import { type Stack, startStack } from './stack/stack.js';

const run = promisify(execFile);
const source = fileURLToPath(new URL('../../clients/python', import.meta.url));
const readme = await readFile(join(source, 'README.md'), 'utf8');
const [send = '', lists = '', events = '', webhooks = ''] = [...readme.matchAll(/^```python\n(.*?)^```/gms)].map(
  ([, code = '']) => code,
);
const oldest = 'import sys; sys.exit(sys.version_info < (3, 9))';
const hasPython = spawnSync('python3', ['-c', oldest]).status === 0;

let stack: Stack;
let customer: Customer;
let folder: string;
let packages: string;

/** Without a network, pip cannot fetch setuptools, which builds the package. Then the sources are used as they are. */
async function install(): Promise<string> {
  const target = join(folder, 'packages');
  const copy = join(folder, 'source');
  await cp(source, copy, { recursive: true });
  const options = ['--quiet', '--no-deps', '--retries', '1', '--timeout', '15', '--target', target];
  try {
    await run('python3', ['-m', 'pip', 'install', ...options, copy]);
    return target;
  } catch (error) {
    console.warn(`clients/python: pip cannot install it here, so the test uses its sources. ${String(error)}`);
    return join(copy, 'src');
  }
}

async function python(code: string): Promise<string> {
  const env = {
    ...process.env,
    PYTHONPATH: packages,
    KURIR_BASE_URL: stack.baseUrl,
    KURIR_API_KEY: customer.apiKey,
    KURIR_API_SECRET: customer.apiSecret,
    KURIR_DEVICE_ID: customer.deviceId,
  };
  const { stdout } = await run('python3', ['-W', 'error', '-c', code], { cwd: folder, env });
  return stdout.trimEnd();
}

beforeAll(async () => {
  if (!hasPython) return;
  folder = await mkdtemp(join(tmpdir(), 'kurir-python-'));
  [stack, packages] = await Promise.all([startStack(), install()]);
  customer = await stack.createCustomer();
});
beforeEach((ctx: TestContext) => {
  if (!hasPython) ctx.skip('skipped: python3 of version 3.9 or later is not installed');
});
afterAll(async () => {
  await stack?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true });
});

it('delivers a message in at most ten lines, once', async () => {
  expect(send.trimEnd().split('\n').length).toBeLessThanOrEqual(10);
  expect(await python(send)).toMatch(/^(delivered|read)$/);
  const { messages } = await customer.client.listMessages();
  const sent = {
    phoneDestination: '6281234567890',
    priority: 'otp',
    status: expect.stringMatching(/^(delivered|read)$/),
  };
  expect(messages).toMatchObject([sent]);
});

it('iterates over messages, over the lines of a file and over events', async () => {
  const { jobId } = await customer.client.sendMessage({ message: 'Halo', phoneDestination: '6281234567891' });
  await customer.client.waitForJob(jobId, { until: 'delivered' });
  await customer.client.saveContact({ phone: '6281234567891', name: 'Budi' });
  const listed = await python(lists);
  expect(listed).toContain(`${jobId} 6281234567891`);
  expect(listed).toMatch(/^\['phone', 'name', .*\n\['6281234567891', 'Budi', /m);
  expect(await python(events)).toMatch(/^message\.delivered msg_\w+ earliest$/);
});

it('continues with the events after a cursor', async () => {
  const code = `
from kurir import Kurir
kurir = Kurir.from_env()
kinds = ["message.accepted", "message.sent", "message.delivered"]
first = kurir.iter_events(after="earliest", types=kinds, follow=False)
seen = [event["id"] for event in first]
sent = kurir.send_message(message="Halo", phone_destination="6281234567892")
for event in kurir.iter_events(after=first.cursor, types=kinds):
    assert event["id"] not in seen and event["subject"]["id"] == sent["job_id"], event
    print(event["type"])
    if event["type"] == "message.delivered":
        break`;
  expect((await python(code)).split('\n')).toEqual(['message.accepted', 'message.sent', 'message.delivered']);
});

it('names the refusal of the gateway', async () => {
  const code = `
from kurir import Kurir, KurirError
try:
    Kurir.from_env().get_message("msg_unknown")
except KurirError as error:
    print(error.code, error.status, bool(error.request_id))`;
  expect(await python(code)).toBe('JOB_NOT_FOUND 404 True');
});

it('takes a webhook that the gateway signed, and no other', async () => {
  const secret = makeWebhookSecret();
  const body = JSON.stringify({ id: 'evt_1', type: 'message.delivered', data: { text: 'é 🚀' } });
  const headers = signWebhook([secret], { id: 'evt_1', timestamp: Math.floor(Date.now() / 1000), body });
  const given = JSON.stringify({ body, headers, secret });
  const code = `${webhooks}
import json
given = json.loads(${JSON.stringify(given)})
body = given["body"].encode()
print(receive(body, given["headers"], given["secret"]))
print(receive(body + b" ", given["headers"], given["secret"]))
print(receive(body, {}, given["secret"]))`;
  expect((await python(code)).split('\n')).toEqual(['message.delivered evt_1', '204', '401', '400']);
});
