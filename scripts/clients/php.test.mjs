// The PHP client: its methods, its signatures against the published vectors, and its retries against a real server.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fromRoot } from '../local/paths.mjs';

const program = 'exit(PHP_VERSION_ID >= 80100 && extension_loaded("curl") ? 0 : 1);';
const hasPhp = spawnSync('php', ['-r', program]).status === 0;
const missing = 'skipped: PHP 8.1 or later with the extension curl is not installed';
if (!hasPhp) console.warn(`clients/php: ${missing}`);

let server;
let received;
let accepted;
let faults;
/** The data of an answer, from the number of the request. */
let dataOf;

beforeEach(async (ctx) => {
  if (!hasPhp) ctx.skip(missing);
  [received, accepted, faults] = [[], new Map(), []];
  dataOf = (number) => ({ job_id: `msg_${number}` });
  server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => answer({ request, body: Buffer.concat(chunks).toString() }, response));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Knows repeated signatures, as the gateway does, and has the fault that is next. */
function answer({ request, body }, response) {
  const { headers, method, url } = request;
  received.push({ headers, method, url, body });
  const fault = faults.shift();
  if (typeof fault === 'object') return response.writeHead(fault.status, fault.headers).end(fault.text);
  if (fault === 'lost-before-acceptance') return response.destroy();
  const signature = headers['x-signature'];
  if (!accepted.has(signature)) accepted.set(signature, dataOf(accepted.size + 1));
  if (fault === 'lost-after-acceptance') return response.destroy();
  response.end(JSON.stringify({ success: true, message: 'Done', data: accepted.get(signature) }));
}

const refusal = (status, code, headers = {}) => ({
  status,
  headers: { 'X-Request-Id': 'req_1', ...headers },
  text: JSON.stringify({ success: false, code, error: 'Try something else.' }),
});

/** Runs code that prints JSON, with `$kurir` as a client of the server. */
async function php(code) {
  const start = `
    require '${fromRoot('clients/php/autoload.php')}';
    $url = 'http://127.0.0.1:${server.address().port}';
    $kurir = new Kurir\\Kurir($url, 'kk_test', 'ks_test', 'dev_1');
    function failing(callable $call): array {
      try { $call(); } catch (Kurir\\KurirError $e) { return [$e->errorCode, $e->status, $e->mayHaveArrived, $e->retryAfter]; }
      return ['no error'];
    }`;
  const child = spawn('php', ['-d', 'error_reporting=-1', '-d', 'display_errors=stderr', '-r', start + code]);
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (part) => (text[name] += part));
  await once(child, 'close');
  expect(text.stderr).toBe('');
  return JSON.parse(text.stdout);
}

const send = `$kurir->sendMessage(message: 'Kode é 🚀', phoneDestination: '6281234567890')`;
const signatures = () => new Set(received.map(({ headers }) => headers['x-signature']));

describe('clients/php', () => {
  it('signs the published vectors of scheme 2', async () => {
    const vectors = JSON.parse(readFileSync(fromRoot('packages/signing/vectors.json'), 'utf8'));
    const wanted = vectors.filter(({ version }) => version === 2).map(({ signature }) => signature.toLowerCase());
    const signed = await php(`
      $signed = [];
      foreach (json_decode(file_get_contents('${fromRoot('packages/signing/vectors.json')}'), true) as $v) {
        if (($v['version'] ?? 1) !== 2) continue;
        $body = $v['body'] ?? base64_decode($v['body_base64']);
        $request = new Kurir\\Request($v['method'], $v['target'], $body, $v['device_id'], $v['idempotency_key'], 'refuse');
        $signed[] = $request->sign($v['timestamp'], $v['secret']);
      }
      echo json_encode($signed);`);
    expect(signed).toEqual(wanted);
    expect(wanted.length).toBeGreaterThanOrEqual(12);
  });

  it('has a method for each operation', async () => {
    const { paths } = JSON.parse(readFileSync(fromRoot('docs/openapi.json'), 'utf8'));
    const names = Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    expect(await php('echo json_encode(get_class_methods($kurir));')).toEqual(expect.arrayContaining(names));
  });

  it('repeats a send whose answer is lost with the same signature, and gets the first answer', async () => {
    faults.push('lost-after-acceptance', 'lost-after-acceptance');
    expect(await php(`echo json_encode(${send});`)).toEqual({ job_id: 'msg_1' });
    expect([received.length, accepted.size, signatures().size]).toEqual([3, 1, 1]);
    expect(JSON.parse(received[0].body)).toMatchObject({
      message: 'Kode é 🚀',
      client_ref: expect.stringMatching(/^kc_/),
    });
  });

  it('names each message of a bulk, and a new device, so that a repeat is recognised', async () => {
    faults.push('lost-after-acceptance');
    await php(
      `echo json_encode($kurir->sendBulk(messages: [['message' => 'a'], ['message' => 'b', 'client_ref' => 'c']]));`,
    );
    expect(received[1].body).toBe(received[0].body);
    expect(JSON.parse(received[0].body).messages[1].client_ref).toBe('c');
    faults.push(refusal(503, 'SERVICE_UNAVAILABLE'));
    await php(`echo json_encode($kurir->createDevice(name: 'Toko'));`);
    expect(JSON.parse(received[3].body).client_ref).toBe(JSON.parse(received[2].body).client_ref);
  });

  it('repeats no other change whose answer is lost', async () => {
    faults.push('lost-after-acceptance');
    const error = await php('echo json_encode(failing(fn () => $kurir->renewAccount()));');
    expect(error).toEqual(['NO_ANSWER', null, true, null]);
    faults.push({ status: 503, headers: {}, text: '<h1>upstream reset</h1>' }, refusal(500, 'INTERNAL_ERROR'));
    const errors = await php(`
      echo json_encode([failing(fn () => $kurir->disconnectDevice()), failing(fn () => $kurir->renewAccount())]);`);
    expect(errors).toEqual([
      ['NO_ANSWER', 503, true, null],
      ['INTERNAL_ERROR', 500, true, null],
    ]);
    expect(received).toHaveLength(3);
  });

  it('repeats any call after 429 and 503, as late as Retry-After asks', async () => {
    faults.push(refusal(429, 'RATE_LIMITED', { 'Retry-After': '1' }), refusal(503, 'SERVICE_UNAVAILABLE'));
    const since = Date.now();
    await php(`echo json_encode($kurir->chatPresence(action: 'start', phoneDestination: '6281234567890'));`);
    expect(Date.now() - since).toBeGreaterThanOrEqual(1_100);
    expect(signatures().size).toBe(3);
    faults.push(refusal(429, 'RATE_LIMITED', { 'Retry-After': '3600' }));
    expect(await php(`echo json_encode(failing(fn () => ${send}));`)).toEqual(['RATE_LIMITED', 429, true, 3600]);
  });

  it('says that nothing arrived when the connection was refused or the address redirects', async () => {
    faults.push({ status: 301, headers: { Location: '/' }, text: '' });
    const errors = await php(`
      $closed = new Kurir\\Kurir('http://127.0.0.1:1', 'kk_test', 'ks_test', maxRetries: 1);
      echo json_encode([failing(fn () => $closed->cancelMessage('msg_1')), failing(fn () => $kurir->accountInfo())]);`);
    expect(errors).toEqual([
      ['NO_ANSWER', null, false, null],
      ['NO_ANSWER', 301, false, null],
    ]);
  });

  it('corrects a wrong clock once', async () => {
    const now = Date.now();
    const date = new Date(now + 3_600_000).toUTCString();
    faults.push(refusal(401, 'TIMESTAMP_OUT_OF_RANGE', { Date: date }));
    await php('echo json_encode($kurir->accountInfo());');
    const [first, second] = received.map(({ headers }) => Number(headers['x-timestamp']));
    expect(second - first).toBeGreaterThan(3_590_000);
  });

  it('sends null where it means something, and leaves out the rest', async () => {
    await php('echo json_encode($kurir->updateDevice(name: null, proxy: null, typingMs: 0));');
    expect(JSON.parse(received[0].body)).toEqual({ proxy: null, typing_ms: 0 });
    await php(
      `echo json_encode($kurir->listMessages(jobIds: ['msg_1', 'msg_2'], since: new DateTime('2026-11-21T09:00Z')));`,
    );
    const query = new URL(received[1].url, 'http://a').searchParams;
    expect(Object.fromEntries(query)).toEqual({ job_ids: 'msg_1,msg_2', since: '2026-11-21T09:00:00.000+00:00' });
  });

  it('waits for a job until it has the status, or until the time is over', async () => {
    dataOf = (number) => ({ job_id: 'msg_1', status: number < 3 ? 'queued' : 'sent' });
    const seen = await php(`
      $job = $kurir->waitForJob('msg_1', until: 'sent');
      try { $kurir->waitForJob('msg_1', until: 'read', timeout: 0.3); } catch (Kurir\\KurirError $e) {
        echo json_encode([$job['status'], $e->errorCode, $e->getMessage(), $e->lastJob['status']]);
      }`);
    expect(seen).toEqual(['sent', 'WAIT_TIMEOUT', 'msg_1 was not read within 0.3 s; it is sent.', 'sent']);
    faults.push(refusal(404, 'JOB_NOT_FOUND'));
    const error = await php(`echo json_encode(failing(fn () => $kurir->waitForJob('msg_1')));`);
    expect(error).toEqual(['JOB_NOT_FOUND', 404, true, null]);
  });

  it('reads pages one after the other', async () => {
    dataOf = (number) => ({ messages: [number, number * 10], next_cursor: number < 3 ? `after ${number}` : null });
    const listed = await php('echo json_encode(iterator_to_array($kurir->iterMessages(limit: 2), false));');
    expect(listed).toEqual([1, 10, 2, 20, 3, 30]);
    const cursors = received.map(({ url }) => new URL(url, 'http://a').searchParams.get('cursor'));
    expect(cursors).toEqual([null, 'after 1', 'after 2']);
  });

  it('goes on with the events after an outage, at the cursor', async () => {
    dataOf = (number) => ({ events: [{ id: `evt_${number}` }], next_cursor: String(number), has_more: true });
    faults.push(...Array.from({ length: 4 }, () => 'lost-before-acceptance'));
    const seen = await php(`
      $seen = [];
      foreach ($feed = $kurir->iterEvents(after: 'earliest') as $event) {
        $seen[] = [$event['id'], $feed->cursor()];
        if (count($seen) === 3) break;
      }
      echo json_encode($seen);`);
    expect(seen).toEqual([
      ['evt_1', 'earliest'],
      ['evt_2', '1'],
      ['evt_3', '2'],
    ]);
  });

  it('knows the signature of the webhook that openssl signed', async () => {
    const codes = await php(`
      $headers = ['Webhook-Id' => 'msg_p5jXN8AQM9LWM0D4loKWxJek', 'Webhook-Timestamp' => '1614265330',
        'Webhook-Signature' => 'v1,AAAA v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='];
      $secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
      $verify = fn (string $body, float $now) => failing(fn () => Kurir\\Webhooks::verify($body, $headers, [$secret], $now))[0];
      $body = '{"test": 2432232314}';
      echo json_encode([$verify($body, 1614265330), $verify("$body ", 1614265330), $verify($body, 1614265631)]);`);
    // The right signature first lets the body be read, which is no event.
    expect(codes).toEqual(['WEBHOOK_MALFORMED', 'WEBHOOK_WRONG_SIGNATURE', 'WEBHOOK_TOO_OLD']);
  });

  it('refuses settings and ids that cannot be sent', async () => {
    const sentences = await php(`
      $try = function (callable $call): string {
        try { $call(); } catch (InvalidArgumentException $e) { return $e->getMessage(); }
        return 'nothing';
      };
      putenv('KURIR_BASE_URL');
      putenv('KURIR_API_SECRET');
      putenv('KURIR_API_KEY=kk_test');
      echo json_encode([
        $try(fn () => Kurir\\Kurir::fromEnv()),
        $try(fn () => new Kurir\\Kurir('https://a?b', 'k', 's')),
        $try(fn () => $kurir->getMessage('../info')),
        $try(fn () => (new Kurir\\Kurir($url, 'k', 's'))->deviceInfo()),
      ]);`);
    expect(sentences).toEqual([
      'Set KURIR_BASE_URL, KURIR_API_SECRET.',
      expect.stringContaining('base URL'),
      expect.stringContaining('is not a job id'),
      expect.stringContaining('needs the id of a device'),
    ]);
    expect(received).toEqual([]);
  });
});
