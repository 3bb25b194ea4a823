import type { MessageReason } from '@kurir/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeClock } from '../../../test/clock-fixture.js';
import { exampleJob, type Gateway, startGateway } from '../../../test/gateway-fixture.js';
import { environmentFor, type Ran, runHere } from '../../../test/kurir-fixture.js';

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

function jobAfter(status: 'sent' | 'failed', reason: MessageReason | null) {
  return exampleJob({
    status,
    reason,
    priority: 'otp',
    client_ref: null,
    broadcast_id: null,
    expires_at: '2026-11-21T09:05:00.000Z',
    created_at: '2026-11-21T08:57:00.000Z',
    timeline: [
      { status: 'queued', reason: null, at: '2026-11-21T08:57:00.000Z' },
      { status: 'sending', reason: null, at: '2026-11-21T08:57:00.029Z' },
      { status, reason, at: '2026-11-21T08:57:01.229Z' },
    ],
  });
}

describe('status', () => {
  it('shows the reason of a step', async () => {
    gateway.answer({ getMessage: () => jobAfter('failed', 'recipient_not_on_network') });
    const { stdout } = await kurir(['status', 'msg_1']);
    expect(stdout).toMatch(/● failed +\+1\.2 s {2}recipient_not_on_network\n/);
  });

  it('shows the timeline with the time of each step', async () => {
    gateway.answer({ getMessage: () => jobAfter('sent', null) });
    const { stdout } = await kurir(['status', 'msg_1']);
    const lines = stdout.split('\n').map((line) => line.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/, 'TIME').trimEnd());
    expect(lines).toEqual([
      'msg_1  sent',
      '',
      '  to        6281234567890',
      '  device    dev_1',
      '  priority  otp',
      '  expires   TIME  (in 5 minutes)',
      '',
      '  TIME  ● queued     3 minutes ago',
      '  TIME  ● sending    +29 ms',
      '  TIME  ● sent       +1.2 s',
      '',
    ]);
  });

  it('prints the JSON of the API with --json', async () => {
    gateway.answer({ getMessage: () => jobAfter('sent', null) });
    const { stdout } = await kurir(['status', 'msg_1', '--json']);
    expect(JSON.parse(stdout)).toEqual(jobAfter('sent', null));
  });
});

it('kurir status says why a message waits, and until when', async () => {
  const waiting = { reason: 'new_contact_allowance', until: '2026-11-21T10:00:00.000Z' } as const;
  gateway.answer({ getMessage: () => exampleJob({ status: 'queued', waiting }) });
  const { stdout } = await kurir(['status', 'msg_1']);
  expect(stdout).toContain('waiting   new_contact_allowance: The recipient is a new contact');
  expect(stdout).toMatch(/until +\S+/);
});
