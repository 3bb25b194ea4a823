import { afterEach, beforeEach, expect, it } from 'vitest';
import { fakeClock } from '../../test/clock-fixture.js';
import { exampleEvent, type Gateway, refusal, startGateway } from '../../test/gateway-fixture.js';
import { environmentFor, runHere } from '../../test/kurir-fixture.js';

let clock = fakeClock();
let gateway: Gateway;

beforeEach(async () => {
  clock = fakeClock();
  gateway = await startGateway(clock.now);
});
afterEach(() => gateway.close());

const kurir = (...args: string[]) => runHere(['events', ...args], environmentFor(gateway.baseUrl), { clock });

const delivered = exampleEvent({ sequence: 4 });

it('shows one line for each event, and how to continue', async () => {
  gateway.answer({ listEvents: () => ({ events: [delivered], next_cursor: '1-2-3-4', has_more: true }) });
  const { code, stdout } = await kurir('--types', 'message.delivered', '--limit', '5');
  expect(code).toBe(0);
  expect(stdout.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/, 'TIME')).toBe(
    'TIME  message.delivered      msg_1  6281234567890  order-1\nMore: kurir events --after 1-2-3-4\n',
  );
  expect(gateway.received[0]?.target).toBe('/api/v1/events?after=earliest&limit=5&types=message.delivered');
});

it('prints the page of the API with --json', async () => {
  const page = { events: [delivered], next_cursor: '1-2-3-4', has_more: false };
  gateway.answer({ listEvents: () => page });
  expect(JSON.parse((await kurir('--json')).stdout)).toEqual(page);
});

it('follows, one line of JSON for each event, until the gateway refuses', async () => {
  gateway.answer({ listEvents: () => ({ events: [delivered], next_cursor: 'a', has_more: false }) });
  gateway.fail(
    {
      status: 200,
      text: JSON.stringify({
        success: true,
        message: '',
        data: { events: [delivered], next_cursor: 'a', has_more: false },
      }),
    },
    refusal('CURSOR_EXPIRED'),
  );
  const { code, stdout, stderr } = await kurir('--follow', '--after', 'x', '--json');
  expect(JSON.parse(stdout)).toEqual(delivered);
  expect(stderr).toContain('CURSOR_EXPIRED');
  expect(code).toBe(1);
});

it.each(['0', '1001', 'x'])('refuses a limit of %s', async (limit) => {
  expect((await kurir('--limit', limit)).code).toBe(2);
  expect(gateway.received).toEqual([]);
});
