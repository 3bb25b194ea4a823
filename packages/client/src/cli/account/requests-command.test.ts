import { afterEach, beforeEach, expect, it } from 'vitest';
import { exampleRequest } from '../../../test/account-examples.js';
import { type Gateway, refusal, startGateway } from '../../../test/gateway-fixture.js';
import { environmentFor, runHere } from '../../../test/kurir-fixture.js';
import { localTime } from '../terminal/moments.js';

let gateway: Gateway;
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(() => gateway.close());

const kurir = (...args: string[]) => runHere(['requests', ...args], environmentFor(gateway.baseUrl));

it('lists requests by a filter, also those that are only counted', async () => {
  const counted = exampleRequest({ request_id: 'req_2', operation: null, status: null, not_recorded: 40 });
  const aborted = exampleRequest({ request_id: 'req_3', status: null, code: null });
  gateway.answer({ listRequests: () => ({ requests: [exampleRequest(), aborted, counted], next_cursor: 'req_0' }) });
  const { code, stdout } = await kurir('--outcome', '4xx', '--key', 'kk_live_1', '--request-id', 'req_1');
  const at = localTime(exampleRequest().at);
  expect(code).toBe(0);
  const lines = stdout.split('\n').map((line) => line.replace(/ {2,}/g, '|'));
  expect(lines).toEqual([
    `${at}|429|sendMessage|RATE_LIMITED|3 ms|Toko|203.0.113.7|req_1`,
    `${at}|aborted|sendMessage|3 ms|Toko|203.0.113.7|req_3`,
    `${at}|40 more, only counted|RATE_LIMITED|3 ms|Toko|203.0.113.7`,
    'More: kurir requests --outcome 4xx --key kk_live_1 --request-id req_1 --cursor req_0',
    '',
  ]);
  expect(gateway.received[0]?.target).toBe('/api/v1/requests?request_id=req_1&api_key=kk_live_1&outcome=4xx');
});

it('says that there is none, and passes a refusal on', async () => {
  gateway.answer({ listRequests: () => ({ requests: [], next_cursor: null }) });
  expect(await kurir()).toMatchObject({ code: 0, stdout: 'No requests.\n' });
  gateway.fail(refusal('KEY_NOT_ALLOWED'));
  expect((await kurir()).code).toBe(1);
});
