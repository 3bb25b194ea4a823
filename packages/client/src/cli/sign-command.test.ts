import { sha256Hex, verifyRequestSignature } from '@kurir/signing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeClock } from '../../test/clock-fixture.js';
import { apiSecret, type Gateway, startGateway } from '../../test/gateway-fixture.js';
import { environmentFor, type Ran, runHere } from '../../test/kurir-fixture.js';

let clock = fakeClock();
let gateway: Gateway;

beforeEach(async () => {
  clock = fakeClock();
  gateway = await startGateway(clock.now);
});
afterEach(() => gateway.close());

function kurir(args: readonly string[]): Promise<Ran> {
  return runHere(args, environmentFor(gateway.baseUrl), { clock });
}

describe('sign', () => {
  const target = '/api/v1/messages?status=failed&limit=50';

  function check(method: string, signedTarget: string, headers: Record<string, string>, body: string): number | null {
    const { 'X-Timestamp': timestamp = '', 'X-Signature': signature = '' } = headers;
    const { 'X-Device-Id': deviceId = null, 'Idempotency-Key': idempotencyKey = null } = headers;
    expect(headers['X-Signature-Version']).toBe('2');
    const bodySha256 = sha256Hex(body);
    return verifyRequestSignature({
      method,
      target: signedTarget,
      timestamp,
      signedHeaders: { deviceId, idempotencyKey },
      signature,
      bodySha256,
      secrets: [apiSecret],
    });
  }

  it('prints headers that the gateway accepts', async () => {
    const { stdout } = await kurir(['sign', 'get', target, '--json']);
    const { headers } = JSON.parse(stdout);
    expect(headers['X-Timestamp']).toBe('1795251600000');
    expect(headers['X-Device-Id']).toBe('dev_1');
    expect(check('GET', target, headers, '')).toBe(0);
  });

  it('signs an Idempotency-Key too, and refuses one that HTTP would change', async () => {
    const sign = (key: string) => kurir(['sign', 'POST', target, '--idempotency-key', key, '--json']);
    const { headers } = JSON.parse((await sign('ord:7781 é')).stdout);
    expect(headers['Idempotency-Key']).toBe('ord:7781 é');
    expect(check('POST', target, headers, '')).toBe(0);
    for (const wrong of [' ord', 'ord\n', '']) expect((await sign(wrong)).code).toBe(2);
  });

  it('signs the path of the base URL too', async () => {
    const environment = environmentFor('https://example.com/kurir/');
    const { stdout } = await runHere(['sign', 'POST', target, '--body', '{}', '--json'], environment, { clock });
    expect(check('POST', `/kurir${target}`, JSON.parse(stdout).headers, '{}')).toBe(0);
  });

  it('quotes the body for the shell and never prints the secret', async () => {
    const { stdout } = await kurir(['sign', 'POST', '/api/v1/messages/send', '--body', `{"message":"it's"}`]);
    expect(stdout).toContain(`--data-raw '{"message":"it'\\''s"}'`);
    expect(stdout).toContain(`'${gateway.baseUrl}/api/v1/messages/send'`);
    expect(stdout).not.toContain(apiSecret);
    expect(gateway.received).toEqual([]);
  });
});
