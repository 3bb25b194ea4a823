import { afterEach, beforeEach, expect, it } from 'vitest';
import { fakeClock } from '../../../test/clock-fixture.js';
import { exampleDevice, type Gateway, refusal, startGateway } from '../../../test/gateway-fixture.js';
import { environmentFor, type Ran, runHere } from '../../../test/kurir-fixture.js';

let clock = fakeClock();
let gateway: Gateway;

beforeEach(async () => {
  clock = fakeClock();
  gateway = await startGateway(clock.now);
});
afterEach(() => gateway.close());

const kurir = (...args: string[]): Promise<Ran> =>
  runHere(['device', ...args], environmentFor(gateway.baseUrl), { clock });

const coded = (code: string) => ({ code, valid_until: '2026-11-21T09:01:00.000Z' });
const pairing = exampleDevice({ state: 'pairing', phone_number: null });
const connected = exampleDevice();

/** Sets the states that the look-ups see, one after the other. The last one stays. */
function comes(...states: (typeof connected)[]): void {
  let looks = 0;
  const other = exampleDevice({ device_id: 'dev_9' });
  gateway.answer({
    listDevices: () => ({ devices: [other, states[Math.min(looks++, states.length - 1)] ?? other], max_devices: 10 }),
  });
}

const sentBody = () => JSON.parse(gateway.received[0]?.body ?? '') as unknown;

it('shows every new code once, and ends when the device is connected', async () => {
  const first = { ...pairing, pairing: coded('2@one') };
  const second = { ...pairing, pairing: coded('2@two') };
  comes(pairing, first, first, second, { ...connected, state: 'connecting' }, connected);
  await expect(kurir('link')).resolves.toEqual({
    code: 0,
    stdout: 'connected  dev_1  6281200000001\n',
    stderr: '  pairing\n  Scan this text as a QR: 2@one\n  Scan this text as a QR: 2@two\n  connecting\n',
  });
  expect(sentBody()).toEqual({});
});

it('draws the QR code on a terminal, above its text', async () => {
  comes({ ...pairing, pairing: coded('2@one') }, connected);
  let shown = '';
  const stderr = { isTTY: true, write: (text: string) => (shown += text) };
  await runHere(['device', 'link'], environmentFor(gateway.baseUrl), { clock, stderr });
  expect(shown).toMatch(/^[█▀▄ \n]{300,}  Scan it with the phone. As text: 2@one\n$/);
});

it('asks for a code to type with --phone', async () => {
  comes({ ...pairing, pairing: coded('ABCD-EFGH') }, connected);
  const { code, stderr } = await kurir('link', '--phone', '+62 812-0000-0001', '--device', 'dev_1');
  expect(sentBody()).toEqual({ method: 'pairing_code', phone_number: '6281200000001' });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '  Type this code into the phone 6281200000001: ABCD-EFGH\n' });
});

it('prints a line of JSON for each change with --json', async () => {
  const states = [pairing, { ...pairing, pairing: coded('2@one') }, connected];
  comes(...states);
  const { stdout, stderr } = await kurir('link', '--json');
  expect(stderr).toBe('');
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual(states);
});

it('ends with 4 and the reason when the device was not linked', async () => {
  const failed = { state_reason: 'link_failed', state_detail: 'proxy_failed', state_advice: 'Try it again.' };
  comes(pairing, { ...pairing, state: 'disconnected', ...failed });
  await expect(kurir('link')).resolves.toEqual({
    code: 4,
    stdout: 'disconnected  dev_1  link_failed (proxy_failed)\n',
    stderr: '  pairing\nTry it again.\n',
  });
});

it('ends with 4 when the time is over, and says how to stop linking', async () => {
  comes(pairing);
  const { code, stdout, stderr } = await kurir('link', '--timeout', '5s');
  expect({ code, stdout }).toEqual({ code: 4, stdout: 'pairing  dev_1\n' });
  expect(stderr).toContain('Not connected within 5 s');
  expect(clock.slept).toEqual([1000, 1000, 1000, 1000, 1000]);
});

it('does not wait when the gateway refused', async () => {
  gateway.fail(refusal('DEVICE_ALREADY_LINKED', 'It is linked already.'));
  await expect(kurir('link')).resolves.toMatchObject({ code: 1, stdout: '' });
  expect(gateway.received).toHaveLength(1);
});

it('a code cannot control the terminal', async () => {
  comes({ ...pairing, pairing: coded('\u001b[2J') }, connected);
  expect((await kurir('link')).stderr).toBe('  Scan this text as a QR: \ufffd[2J\n');
});
