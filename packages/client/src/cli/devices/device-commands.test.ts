import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  exampleDevice,
  exampleHealth,
  exampleNewContacts,
  type Gateway,
  startGateway,
} from '../../../test/gateway-fixture.js';
import { fakeClock } from '../../../test/clock-fixture.js';
import { environmentFor, type Ran, runHere } from '../../../test/kurir-fixture.js';

const clock = fakeClock();
let gateway: Gateway;

beforeEach(async () => {
  gateway = await startGateway(clock.now);
});
afterEach(() => gateway.close());

const kurir = (args: string[], input?: string): Promise<Ran> =>
  runHere(['device', ...args], environmentFor(gateway.baseUrl), { clock, ...(input === undefined ? {} : { input }) });

const sentBody = () => JSON.parse(gateway.received[0]?.body ?? '') as unknown;

describe('kurir device set', () => {
  it('sends only the given settings, and none as null', async () => {
    const { code } = await kurir(['set', '--pace-per-minute', 'none', '--typing-ms', '0', '--proxy', 'none']);
    expect(code).toBe(0);
    expect(sentBody()).toEqual({ pace_per_minute: null, typing_ms: 0, proxy: null });
  });

  it('takes a password from standard input only', async () => {
    const address = 'socks5://user:secret@127.0.0.1:1080';
    const refused = await kurir(['set', '--proxy', address]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--proxy-stdin') });
    expect(refused.stderr).not.toContain('secret');
    expect(gateway.received).toEqual([]);
    await kurir(['set', '--proxy-stdin'], `${address}\n`);
    expect(sentBody()).toEqual({ proxy: address });
  });

  it('is refused when nothing is to change', async () => {
    expect((await kurir(['set'])).code).toBe(2);
    expect(gateway.received).toEqual([]);
  });

  it('shows the settings that now hold, and why messages to new contacts wait', async () => {
    const device = exampleDevice({
      new_contacts: exampleNewContacts({
        waiting: { reason: 'daily_limit', until: null },
        used_today: 18,
        left: 0,
        left_for_codes: 2,
        warning: 'first',
        advice: 'Risky.',
        network_quota: { used: 60, total: 100, resets_at: null },
      }),
    });
    gateway.answer({ updateDevice: () => device, listDevices: () => ({ devices: [device], max_devices: 10 }) });
    const { stdout } = await kurir(['set', '--name', 'Shop']);
    expect(stdout).toContain('contacts  18 of 20 new contacts today (automatic), 0 left, 2 for codes');
    expect(stdout).toContain('waiting   messages to new contacts, until a setting changes (daily_limit)');
    expect(stdout).toContain('warning   first warning of the network');
    expect(stdout).toContain('risk      Risky.');
    expect(stdout).toContain('quota     60 of 100 new chats of the network');
    expect((await kurir(['list'])).stdout).toMatch(/18\/20 new .*messages to new contacts, until a setting changes/);
  });
});

it('kurir device list says once which version of its client the network refused', async () => {
  const refused = {
    state: 'connecting',
    state_reason: 'client_outdated',
    state_detail: '2.3000.1043857760',
    state_advice: 'The network refuses version 2.3000.1043857760 of its client (known here for 125 days).',
  } as const;
  const devices = [exampleDevice(refused), exampleDevice({ ...refused, device_id: 'dev_2' })];
  gateway.answer({ listDevices: () => ({ devices, max_devices: 10 }) });
  expect((await kurir(['list'])).stdout.split('\n')).toEqual([
    'dev_1  connecting  whatsapp  6281200000001  now  Toko  0/20 new  good  client_outdated (2.3000.1043857760)',
    'dev_2  connecting  whatsapp  6281200000001  now  Toko  0/20 new  good  client_outdated (2.3000.1043857760)',
    refused.state_advice,
    '',
  ]);
});

it('kurir device create sends the settings and the client_ref', async () => {
  await kurir(['create', 'Shop', '--new-contacts-per-day', '5', '--pace-jitter-ms', '100', '--client-ref', 'shop-1']);
  expect(sentBody()).toEqual({
    name: 'Shop',
    network: 'whatsapp',
    client_ref: 'shop-1',
    new_contacts_policy: 'fixed',
    new_contacts_per_day: 5,
    pace_jitter_ms: 100,
  });
});

it.each([
  ['automatic', { new_contacts_policy: 'automatic' }],
  ['20', { new_contacts_policy: 'fixed', new_contacts_per_day: 20 }],
  ['none', { new_contacts_per_day: null }],
])('kurir device set --new-contacts-per-day %s', async (limit, body) => {
  await kurir(['set', '--new-contacts-per-day', limit]);
  expect(sentBody()).toEqual(body);
});

it('kurir device list --activity shows the waiting messages and the health of each device', async () => {
  const activity = {
    linked: true,
    state_since: '2026-11-21T09:00:00.000Z',
    last_connected_at: null,
    pairing_method: null,
    backlog: { otp: 2, normal: 0, bulk: 40, scheduled: 1 },
    health: { level: 'slowed', sent: 900, failed: 120, unknown: 1 },
  } as const;
  gateway.answer({ listDevices: () => ({ devices: [exampleDevice({ activity }), exampleDevice()], max_devices: 10 }) });
  expect((await kurir(['list', '--activity'])).stdout.split('\n')).toEqual([
    'dev_1  slowed     waiting 2 otp, 0 normal, 40 bulk, 1 later  sent 900, failed 120, unknown 1  Toko',
    'dev_1  connected  -                                          -                                Toko',
    '',
  ]);
  expect(gateway.received.at(-1)?.target).toBe('/api/v1/devices?include=activity');
});

describe('kurir device health', () => {
  const quiet = { sent: 0, delivered: 0, failed: 0, refused: 0, unknown: 0, answers: 0, opted_out: 0 };
  const atRisk = exampleHealth({
    health: 'at_risk',
    reasons: [{ reason: 'failures', level: 'at_risk', percent: 22.5, advice: 'Check the list.' }],
    days: [
      { ...quiet, day: '2026-11-24' },
      { ...quiet, day: '2026-11-25', sent: 80, delivered: 60, failed: 20, opted_out: 1 },
      { ...quiet, day: '2026-11-26', answers: 2 },
    ],
  });

  it('shows the word, its reasons, and the days on which something happened', async () => {
    gateway.answer({ deviceHealth: () => atRisk });
    const { stdout, code } = await kurir(['health', 'dev_9']);
    expect(gateway.received[0]?.target).toBe('/api/v1/devices/dev_9/health');
    expect([code, ...stdout.split('\n')]).toEqual([
      0,
      'at_risk  dev_1  counted now',
      '  failures 22.5 %: Check the list.',
      'day         sent  delivered  failed  refused  unknown  answers  opted out',
      '2026-11-25  80    75 %       20      0        0        0        1',
      '2026-11-26  0     -          0       0        0        2        0',
      '',
    ]);
  });

  it('takes the device of the settings, and prints the answer of the API with --json', async () => {
    gateway.answer({ deviceHealth: () => atRisk });
    const { stdout } = await kurir(['health', '--json']);
    expect(gateway.received[0]?.target).toMatch(/^\/api\/v1\/devices\/dev_[^/]+\/health$/);
    expect(JSON.parse(stdout)).toEqual(atRisk);
  });

  it('says that nothing has been counted yet', async () => {
    gateway.answer({ deviceHealth: () => exampleHealth({ counted_at: null }) });
    expect((await kurir(['health'])).stdout).toBe('good  dev_1  not counted yet\nNo messages in the last 30 days.\n');
  });
});
