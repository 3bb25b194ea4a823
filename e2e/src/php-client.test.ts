/**
 * The PHP client as a stranger uses it: the code of its README, against a gateway. `vendor/autoload.php` is the loader of the
 * package itself, because Composer needs a network.
 */
import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeWebhookSecret, signWebhook } from '@kurir/signing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Customer } from './customers/customer.js';
import { type Stack, startStack } from './stack/stack.js';

const run = promisify(execFile);
const source = fileURLToPath(new URL('../../clients/php', import.meta.url));
const readme = await readFile(join(source, 'README.md'), 'utf8');
const [send = '', lists = '', webhooks = ''] = [...readme.matchAll(/^```php\n(.*?)^```/gms)].map(
  ([, code = '']) => code,
);
const usable = 'exit(PHP_VERSION_ID >= 80100 && extension_loaded("curl") ? 0 : 1);';
const hasPhp = spawnSync('php', ['-r', usable]).status === 0;

let stack: Stack;
let customer: Customer;
let folder: string;

async function php(code: string): Promise<string> {
  const file = join(folder, 'program.php');
  await writeFile(file, code);
  const env = {
    ...process.env,
    KURIR_BASE_URL: stack.baseUrl,
    KURIR_API_KEY: customer.apiKey,
    KURIR_API_SECRET: customer.apiSecret,
    KURIR_DEVICE_ID: customer.deviceId,
  };
  const options = ['-d', 'error_reporting=-1', '-d', 'display_errors=stderr'];
  const { stdout, stderr } = await run('php', [...options, file], { cwd: folder, env });
  expect(stderr).toBe('');
  return stdout.trimEnd();
}

beforeAll(async () => {
  if (!hasPhp) return console.warn('clients/php: skipped: PHP 8.1 or later with the extension curl is not installed');
  folder = await mkdtemp(join(tmpdir(), 'kurir-php-'));
  await cp(source, join(folder, 'kurir'), { recursive: true });
  await mkdir(join(folder, 'vendor'));
  await writeFile(join(folder, 'vendor', 'autoload.php'), "<?php require __DIR__ . '/../kurir/autoload.php';");
  stack = await startStack();
  customer = await stack.createCustomer();
});
beforeEach((ctx) => {
  if (!hasPhp) ctx.skip('skipped: PHP 8.1 or later with the extension curl is not installed');
});
afterAll(async () => {
  await stack?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true });
});

it('delivers a message in at most ten lines, once', async () => {
  expect(send.trimEnd().split('\n').length).toBeLessThanOrEqual(10);
  expect(await php(send)).toMatch(/^(delivered|read)$/);
  const { messages } = await customer.client.listMessages();
  expect(messages).toMatchObject([{ phoneDestination: '6281234567890', priority: 'otp' }]);
});

it('iterates over messages and events, and reads a file', async () => {
  const { jobId } = await customer.client.sendMessage({ message: 'Halo', phoneDestination: '6281234567891' });
  await customer.client.waitForJob(jobId, { until: 'delivered' });
  await customer.client.saveContact({ phone: '6281234567891', name: 'Budi' });
  const printed = await php(lists);
  expect(printed).toContain(`${jobId} 6281234567891`);
  expect(printed).toMatch(/^phone,name,.*\s+6281234567891,Budi,/m);
  expect(printed).toMatch(/^message\.delivered msg_\w+ earliest$/m);
});

it('continues with the events after a cursor, and names a refusal', async () => {
  const code = `<?php
require 'vendor/autoload.php';
$kurir = Kurir\\Kurir::fromEnv();
$types = ['message.accepted', 'message.sent', 'message.delivered'];
$first = $kurir->iterEvents(after: 'earliest', types: $types, follow: false);
$seen = array_column(iterator_to_array($first, false), 'id');
$sent = $kurir->sendMessage(message: 'Halo', phoneDestination: '6281234567892');
foreach ($kurir->iterEvents(after: $first->cursor(), types: $types) as $event) {
    if (in_array($event['id'], $seen, true) || $event['subject']['id'] !== $sent['job_id']) exit(1);
    echo $event['type'], "\\n";
    if ($event['type'] === 'message.delivered') break;
}
try {
    $kurir->getMessage('msg_unknown');
} catch (Kurir\\KurirError $error) {
    echo $error->errorCode, ' ', $error->status, ' ', isset($error->requestId) ? 'named' : 'unnamed';
}`;
  const types = ['message.accepted', 'message.sent', 'message.delivered'];
  expect((await php(code)).split('\n')).toEqual([...types, 'JOB_NOT_FOUND 404 named']);
});

it('takes a webhook that the gateway signed, and no other', async () => {
  const secret = makeWebhookSecret();
  const body = JSON.stringify({ id: 'evt_1', type: 'message.delivered', data: { text: 'é 🚀' } });
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = signWebhook([secret], { id: 'evt_1', timestamp, body });
  const old = signWebhook([secret], { id: 'evt_1', timestamp: timestamp - 400, body });
  await writeFile(join(folder, 'given.json'), JSON.stringify({ body, headers, old, secret }));
  const code = `${webhooks}
$given = json_decode(file_get_contents('given.json'), true);
['body' => $body, 'headers' => $headers, 'secret' => $secret] = $given;
echo receive($body, $headers, $secret), "\\n";
echo receive($body, ['Webhook-Id' => $headers['webhook-id']] + $headers, $secret), "\\n";
echo receive("$body ", $headers, $secret), "\\n", receive($body, $given['old'], $secret), "\\n", receive($body, [], $secret);`;
  const taken = ['message.delivered evt_1', '204'];
  expect((await php(code)).split('\n')).toEqual([...taken, ...taken, '401', '401', '400']);
});
