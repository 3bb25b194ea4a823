// The commands of the phone use the routes that the tests of the relay check.
import { describe, expect, test } from 'vitest';
import { COMMANDS } from './commands.mjs';
import { UsageError } from './phone-error.mjs';

const qr = 'https://wa.me/settings/linked_devices#reference,noise,identity,secret,1';

/** Returns `answers[path]` for a path, and keeps each request. */
function relayWith({ codes = [], answers = {} } = {}) {
  const asked = [];
  const ask = async (path, body) => {
    asked.push(body === undefined ? [path] : [path, body]);
    return answers[path] ?? { id: 1 };
  };
  return { asked, relay: { ask, shownCodes: async () => codes } };
}

describe('a phone', () => {
  test('scans the QR code of one device and types the pairing code of another', async () => {
    const codes = [
      { device: 'dev_1', code: qr },
      { device: 'dev_2', code: 'ABCD-EFGH' },
    ];
    const { asked, relay } = relayWith({ codes });
    expect(await COMMANDS.scan(relay, [])).toContain('dev_1 is linked');
    expect(await COMMANDS.type(relay, ['--phone', '6281200000009'])).toContain('the phone 6281200000009');
    expect(asked).toEqual([
      ['/phones/4915559000001/scan', { code: qr }],
      ['/phones/6281200000009/pair', { code: 'ABCD-EFGH' }],
    ]);
  });

  test('uses the given code, whatever the devices show', async () => {
    const { asked, relay } = relayWith();
    await COMMANDS.scan(relay, ['--phone', '6281200000009', qr]);
    expect(asked).toEqual([['/phones/6281200000009/scan', { code: qr }]]);
  });

  test('is an error when no device or several devices show a code', async () => {
    await expect(COMMANDS.scan(relayWith().relay, [])).rejects.toThrow('No device shows such a code');
    const both = [qr, `${qr}0`].map((code, i) => ({ device: `dev_${i}`, code }));
    await expect(COMMANDS.scan(relayWith({ codes: both }).relay, [])).rejects.toThrow('Several devices');
  });

  test('is limited for some minutes and then freed', async () => {
    const { asked, relay } = relayWith();
    await COMMANDS.limit(relay, ['6281', '10']);
    await COMMANDS.limit(relay, ['6281', '0']);
    expect(asked).toEqual([
      ['/phones/6281/timelock', { until: expect.stringMatching(/^20.*Z$/) }],
      ['/phones/6281/timelock', { until: null }],
    ]);
  });

  test('lists the messages that it received', async () => {
    const message = { id: '3EB0', from: '4915', text: 'Hello', receivedAt: '2026-11-21T09:00:00.000Z' };
    const { relay } = relayWith({ answers: { '/phones/628/inbox': { messages: [message] } } });
    expect(await COMMANDS.inbox(relay, ['628'])).toBe('2026-11-21T09:00:00.000Z  4915  3EB0\n  Hello');
  });

  test.each([
    ['inbox', []],
    ['write', ['628', '629']],
    ['scan', ['--phone', 'me']],
  ])('%s %j is a usage error', async (name, args) => {
    await expect(COMMANDS[name](relayWith().relay, args)).rejects.toBeInstanceOf(UsageError);
  });
});
