import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createRelay, type LoginFailure, type Phone, type Relay, type StreamEnd, streamEnds } from '../index.js';
import { Companion, Credentials, linkCompanion, logIn } from '../../test/companion.js';

const sender = '4915100000001';

/** The status codes that Baileys shows in `lastDisconnect.error.output.statusCode`. */
const statusCodes: Record<StreamEnd, number> = {
  'restart-required': 515,
  'service-unavailable': 503,
  replaced: 440,
  'device-removed': 401,
  'internal-error': 500,
  'not-well-formed': 500,
  'forced-logout': 516,
  downgraded: 411,
  'stream-closed': 428,
};

const loginFailures: LoginFailure[] = [
  { reason: 401 },
  { reason: 402, code: 101, expireSeconds: 3600 },
  { reason: 403 },
  { reason: 405 },
  { reason: 406 },
  { reason: 409 },
  { reason: 411 },
  { reason: 500 },
  { reason: 503 },
];

describe('the end of a stream', () => {
  let relay: Relay;
  let phone: Phone;
  const credentials = new Credentials();

  beforeAll(async () => {
    relay = await createRelay();
    phone = await relay.createPhone(sender);
    await (await linkCompanion(relay, phone, credentials)).close();
  });

  afterEach(() => relay.faults.clear());

  afterAll(() => relay.close());

  it.each(streamEnds)('shows Baileys the status code of %s', async (end) => {
    const companion = await logIn(relay, credentials);
    phone.endStream(1, end);
    expect((await companion.closed()).statusCode).toBe(statusCodes[end]);
  });

  it.each(loginFailures)('refuses a login with reason $reason', async (failure) => {
    relay.faults.logins(failure, { from: sender });
    const { statusCode, data } = await new Companion(relay, credentials).closed();
    expect(statusCode).toBe(failure.reason);
    expect(data).toMatchObject({ reason: String(failure.reason) });
    if (failure.reason === 402) expect(data).toMatchObject({ code: '101', expire: '3600' });
    expect(relay.journal.of('login', { from: sender }).at(-1)?.refused).toBe(String(failure.reason));
  });

  it('replaces the older of two connections', async () => {
    const older = await logIn(relay, credentials);
    const newer = await logIn(relay, credentials);
    expect((await older.closed()).statusCode).toBe(440);
    expect(newer.socket.ws.isOpen).toBe(true);
    expect(phone.devices()).toMatchObject([{ connected: true }]);
    await newer.close();
  });

  it.each(['close', 'reset', 'mid-frame'] as const)('shows Baileys 428 after a cut by %s', async (how) => {
    const companion = await logIn(relay, credentials);
    phone.cut(1, how);
    expect((await companion.closed()).statusCode).toBe(428);
  });

  it('shows Baileys 408 when the server is silent', async () => {
    const companion = await logIn(relay, credentials, { keepAliveIntervalMs: 100 });
    relay.faults.queries('any', { kind: 'silence' }, { times: Infinity });
    expect((await companion.closed(9_000)).statusCode).toBe(408);
  });

  it('shows Baileys 408 when no server listens', async () => {
    const gone = await createRelay();
    await gone.close();
    expect((await new Companion(gone, new Credentials()).closed()).statusCode).toBe(408);
  });

  it('shows Baileys 401 for a device that was never linked here', async () => {
    const elsewhere = await createRelay();
    expect((await new Companion(elsewhere, credentials).closed()).statusCode).toBe(401);
    await elsewhere.close();
  });
});
