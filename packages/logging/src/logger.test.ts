import { beforeEach, describe, expect, test } from 'vitest';
import { createLogger, type Logger } from './logger.js';

const canary = 'canary 6281234567890 rahasia';

let lines: string[];
let log: Logger;

beforeEach(() => {
  lines = [];
  const destination = { write: (line: string) => void lines.push(line) };
  log = createLogger({ name: 'test', level: 'debug', pretty: false, destination });
});

const logged = (): Record<string, unknown> => JSON.parse(lines.at(-1) ?? '{}');

describe('an error under err', () => {
  test('keeps its type, message, stack, code and causes', () => {
    const cause = Object.assign(new TypeError('below'), { code: 'ECONNREFUSED' });
    log.warn({ err: new RangeError('above', { cause }) }, 'failed');
    expect(logged()).toMatchObject({
      msg: 'failed',
      err: {
        type: 'RangeError',
        message: 'above: below',
        stack: expect.stringContaining('logger.test.ts'),
        cause: { type: 'TypeError', message: 'below', code: 'ECONNREFUSED' },
      },
    });
  });

  test.each(['detail', 'where', 'hint', 'internalQuery', 'parameters', 'input', 'command', 'args'])(
    'loses the %s that a driver adds',
    (field) => {
      const error = Object.assign(new Error('refused'), { [field]: canary });
      log.error({ err: new Error('outer', { cause: error }) }, 'failed');
      log.error({ err: error }, 'failed');
      expect(lines.join()).not.toContain('canary');
    },
  );

  test.each([canary, { text: canary }, [canary], 7, null, undefined])(
    'that is no Error is logged by its type only (%#)',
    (thrown) => {
      log.error({ err: thrown }, 'failed');
      expect(logged()).toMatchObject({ msg: 'failed' });
      expect(lines.join()).not.toContain('canary');
    },
  );
});

describe('a value that must not be logged', () => {
  test.each(['text', 'body', 'recipient', 'phone', 'phoneNumber', 'phone_destination', 'secret', 'signature'])(
    'is redacted under the name %s, also one level down',
    (field) => {
      log.info({ [field]: canary, message: { [field]: canary }, messageId: 'msg_1' }, 'accepted');
      expect(lines.join()).not.toContain('canary');
      expect(logged()).toMatchObject({ [field]: '[redacted]', message: { [field]: '[redacted]' }, messageId: 'msg_1' });
    },
  );

  test('is redacted in the fields of a child logger', () => {
    log.child({ deviceId: 'dev_1', recipient: canary }).info('sending');
    expect(logged()).toMatchObject({ deviceId: 'dev_1', recipient: '[redacted]' });
    log
      .child({ deviceId: 'dev_1' })
      .child({ message: { id: 'msg_1', text: canary } })
      .info('sending');
    expect(logged()).toMatchObject({ deviceId: 'dev_1', message: { id: 'msg_1', text: '[redacted]' } });
  });

  test('stays in the object of the caller', () => {
    const message = { text: canary };
    log.info({ message }, 'accepted');
    expect(message).toEqual({ text: canary });
  });
});

test('a line contains the program and the time, and nothing of the machine', () => {
  log.info('started');
  expect(logged()).toEqual({ level: 30, time: expect.stringMatching(/^\d{4}-.*Z$/), name: 'test', msg: 'started' });
});

test('a level below the setting writes nothing', () => {
  log.trace({ text: canary }, 'detail');
  expect(lines).toEqual([]);
});
