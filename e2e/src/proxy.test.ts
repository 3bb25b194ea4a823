/** Two apis behind the proxy of docker-compose.yml: docker/nginx.conf in a real nginx. */
import { freePort, nodeFlags, type RunningProgram, startProgram, waitUntil } from '@kurir/testing';
import { signRequest } from '@kurir/signing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from './customers/customer.js';
import { signedFetch } from './customers/signed-fetch.js';
import { newPhoneNumber } from './phones/phone.js';
import { hasNginx, type Proxy, startNginx } from './stack/nginx.js';
import { type Stack, startStack } from './stack/stack.js';

const hosts = ['127.0.0.1', '127.0.0.2'] as const;
const drainSeconds = 5;

/** An api that drains as in docker-compose.yml. */
function startApi(stack: Stack, host: string, port: number): Promise<RunningProgram> {
  return startProgram({
    path: 'apps/api/dist/main.js',
    nodeFlags: nodeFlags(),
    env: {
      ...stack.env,
      KURIR_HOST: host,
      PORT: String(port),
      KURIR_TRUST_PROXY: '1',
      KURIR_DRAIN_SECONDS: String(drainSeconds),
    },
    ready: `http://${host}:${port}/health/ready`,
  });
}

/** A connection that an api has not yet accepted when it stops is cut, and the proxy may not repeat its request. */
const mostTries = 3;

/** Programs that send texts one after another, repeat a lost answer as a client does, and note what was not accepted. */
class Load {
  readonly failures: string[] = [];
  /** Requests without an answer of an api. */
  lostAnswers = 0;
  accepted = 0;
  readonly #over = new AbortController();
  readonly #running: Promise<unknown>;

  constructor(url: string, customer: Customer) {
    this.#running = Promise.all(Array.from({ length: 8 }, (_, index) => this.#send(url, customer, index)));
  }

  async #send(url: string, customer: Customer, index: number): Promise<void> {
    const phone = newPhoneNumber();
    for (let n = 0; !this.#over.signal.aborted; n++) {
      const text = { message: `text ${index} ${n}`, phone_destination: phone, client_ref: `${phone}-${n}` };
      const request = { target: '/api/v1/messages/send', body: JSON.stringify(text), deviceId: customer.deviceId };
      await this.#ask(() => signedFetch(url, customer, { method: 'POST', ...request }));
    }
  }

  async #ask(send: () => ReturnType<typeof signedFetch>): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        const { status, body } = await send();
        if (status === 200) this.accepted++;
        else this.failures.push(`${status} ${body.code}`);
        return;
      } catch (error) {
        this.lostAnswers++;
        if (tries < mostTries) continue;
        this.failures.push(String(error));
        return;
      }
    }
  }

  more(count: number): Promise<unknown> {
    const until = this.accepted + count;
    return waitUntil(() => this.accepted >= until, { what: `${count} more are accepted`, timeoutMs: 120_000 });
  }

  async stop(): Promise<void> {
    this.#over.abort();
    await this.#running;
  }
}

describe.skipIf(!hasNginx)('the proxy (skipped: nginx is not on the PATH)', () => {
  let stack: Stack;
  let proxy: Proxy;
  let customer: Customer;
  const apis: RunningProgram[] = [];
  let port: number;
  beforeAll(async () => {
    stack = await startStack();
    port = await freePort();
    customer = await stack.createCustomer();
    apis.push(...(await Promise.all(hosts.map((host) => startApi(stack, host, port)))));
    proxy = await startNginx(hosts, port);
  });
  afterAll(async () => {
    await proxy?.stop();
    await Promise.all(apis.map((api) => api.stop('SIGTERM', 30_000)));
    await stack?.stop();
  });

  it('loses no request while one api after another restarts', async () => {
    const load = new Load(proxy.url, customer);
    await load.more(50);
    for (const [index, host] of hosts.entries()) {
      await apis[index]?.stop('SIGTERM', 30_000);
      await load.more(20);
      apis[index] = await startApi(stack, host, port);
      await load.more(20);
    }
    await load.stop();
    expect(load.failures).toEqual([]);
    expect(load.lostAnswers).toBeLessThan(10);
  }, 300_000);

  it('sends requests to an api that is alone, when the other one was killed', async () => {
    await apis[0]?.kill();
    const load = new Load(proxy.url, customer);
    await load.more(50);
    await load.stop();
    expect(load.failures).toEqual([]);
    apis[0] = await startApi(stack, hosts[0], port);
  }, 180_000);

  it('passes events of a stream on at once', async () => {
    const target = '/api/v1/events?types=message.accepted';
    const timestamp = String(Date.now());
    const signature = signRequest({ method: 'GET', target, timestamp, body: '', secret: customer.apiSecret });
    const abort = new AbortController();
    const answer = await fetch(proxy.url + target, {
      headers: {
        'X-API-Key': customer.apiKey,
        'X-Timestamp': timestamp,
        'X-Signature': signature,
        Accept: 'text/event-stream',
      },
      signal: abort.signal,
    });
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
    let text = '';
    const over = (async () => {
      for await (const chunk of answer.body ?? []) text += Buffer.from(chunk).toString('utf8');
    })().catch(() => undefined);
    for (const count of [1, 2, 3]) {
      const body = JSON.stringify({ message: `event ${count}`, phone_destination: newPhoneNumber() });
      await signedFetch(proxy.url, customer, {
        method: 'POST',
        target: '/api/v1/messages/send',
        body,
        deviceId: customer.deviceId,
      });
      await waitUntil(() => (text.match(/^event: /gm) ?? []).length === count, {
        what: `event ${count}`,
        timeoutMs: 5_000,
      });
    }
    abort.abort();
    await over;
  });

  it('takes the largest body, and tells the api whose it is', async () => {
    const phone = newPhoneNumber();
    const messages = Array.from({ length: 1_000 }, (_, n) => ({
      message: 'é'.repeat(4_050) + n,
      phone_destination: phone,
      client_ref: `bulk-${n}`,
    }));
    const body = JSON.stringify({ messages });
    expect(Buffer.byteLength(body)).toBeGreaterThan(8_000_000);
    const sent = await signedFetch(proxy.url, customer, {
      method: 'POST',
      target: '/api/v1/messages/bulk',
      body,
      deviceId: customer.deviceId,
      headers: { 'X-Forwarded-For': '203.0.113.9' },
    });
    expect(sent.body.error ?? '').toBe('');
    const requests = await signedFetch(proxy.url, customer, { method: 'GET', target: '/api/v1/requests' });
    expect(JSON.stringify(requests.body.data)).toContain('"127.0.0.1"');
    expect(JSON.stringify(requests.body.data)).not.toContain('203.0.113.9');
  }, 180_000);
});
