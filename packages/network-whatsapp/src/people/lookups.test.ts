import type { BinaryNode, WASocket } from 'baileys';
import { expect, test } from 'vitest';
import { Lookups } from './lookups.js';
import { askUsync } from './usync.js';

function answering(...answers: (BinaryNode | undefined)[]): { socket: WASocket; asked: BinaryNode[] } {
  const asked: BinaryNode[] = [];
  const query = async (iq: BinaryNode) => {
    asked.push(iq);
    return answers.shift();
  };
  // The parts of a socket that `Lookups` uses.
  return { socket: { query, generateMessageTag: () => '1' } as unknown as WASocket, asked };
}

const node = (tag: string, attrs: Record<string, string> = {}, content: BinaryNode[] = []): BinaryNode => ({
  tag,
  attrs,
  content,
});

const usync = (...content: BinaryNode[]) => node('iq', { type: 'result' }, [node('usync', {}, content)]);
const throttled = usync(
  node('result', {}, [node('contact', {}, [node('error', { code: '429', backoff: '7' })])]),
  node('list'),
);

test('an answer about a number, its LID and its devices differs from no answer', async () => {
  const devices = node('devices', {}, [
    node('device-list', {}, [
      node('device', { id: '0' }),
      node('device', { id: '2', 'key-index': '2' }),
      node('device', { id: '3' }),
      node('device', { id: '99', 'key-index': '1', is_hosted: 'true' }),
      node('device', { id: 'rubbish' }),
    ]),
  ]);
  const user = node('user', { jid: '49@s.whatsapp.net' }, [
    node('contact', { type: 'in' }),
    node('lid', { val: '20@lid' }),
    devices,
  ]);
  const { socket } = answering(usync(node('list', {}, [user, node('user')])));
  expect(await askUsync(socket, 'message', ['contact', 'lid', 'devices'], [{ number: '49' }])).toEqual({
    users: [
      {
        jid: '49@s.whatsapp.net',
        contact: 'in',
        lid: '20@lid',
        devices: [
          { id: 0, isHosted: false },
          { id: 2, isHosted: false },
          { id: 99, isHosted: true },
        ],
      },
      { jid: null, contact: null, lid: null, devices: null },
    ],
    errors: {},
  });
});

test('an error is read both next to the list and inside a user', async () => {
  const within = node('user', {}, [node('contact', {}, [node('error', { code: '500' })])]);
  const { socket } = answering(throttled, usync(node('list', {}, [within])), undefined);
  const ask = () => askUsync(socket, 'interactive', ['contact'], [{ number: '49' }]);
  expect((await ask())?.errors).toEqual({ contact: { code: 429, backoffMs: 7_000 } });
  expect((await ask())?.errors).toEqual({ contact: { code: 500, backoffMs: null } });
  expect(await ask()).toBeNull();
});

test('after the network asked to slow down, nothing is asked until its time is over', async () => {
  const { socket, asked } = answering(throttled);
  const lookups = new Lookups(socket);
  const ask = () => lookups.ask('interactive', ['contact'], [{ number: '49' }]);
  const first = await ask();
  expect(first).toEqual({
    kind: 'not-sent',
    permanent: false,
    reason: 'rate_limited_by_network',
    retryAfterMs: 7_000,
  });
  expect(await ask()).toMatchObject({ reason: 'rate_limited_by_network' });
  expect(asked).toHaveLength(1);
});
