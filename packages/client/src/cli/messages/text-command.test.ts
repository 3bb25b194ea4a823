import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Gateway, startGateway } from '../../../test/gateway-fixture.js';
import { environmentFor, type Ran, runHere } from '../../../test/kurir-fixture.js';

let gateway: Gateway;
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(() => gateway.close());

const kurir = (args: readonly string[]): Promise<Ran> => runHere(args, environmentFor(gateway.baseUrl));

it('prints the text, and no control character of it', async () => {
  gateway.answer({ readMessageText: () => ({ job_id: 'msg_1', text: 'Halo\n\u001b[31mBudi', withheld: null }) });
  expect(await kurir(['text', 'msg_1'])).toMatchObject({ code: 0, stdout: 'Halo\n\ufffd[31mBudi\n' });
  expect(gateway.received.map(({ target }) => target)).toEqual(['/api/v1/messages/msg_1/text']);
});

it.each([
  ['erased', 'The text of this message is no longer stored.\n'],
  ['one_time_code', 'The text of a one-time code is never shown.\n'],
] as const)('says why there is no text: %s', async (withheld, stdout) => {
  gateway.answer({ readMessageText: () => ({ job_id: 'msg_1', text: null, withheld }) });
  expect(await kurir(['text', 'msg_1'])).toMatchObject({ code: 0, stdout });
});
