import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { InvalidSettings, loadSettings } from './load-settings.js';
import type { Program, Setting } from './setting.js';
import { settingNames, settings } from './settings.js';

const key = () => randomBytes(32).toString('base64');

const complete = {
  DATABASE_URL: 'postgresql://kurir@127.0.0.1:5432/kurir',
  REDIS_URL: 'redis://127.0.0.1:6379',
  KURIR_MASTER_KEY: key(),
  KURIR_INTERNAL_KEY: key(),
};

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kurir-config-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(text: string): string {
  const path = join(folder, randomBytes(4).toString('hex'));
  writeFileSync(path, text);
  return path;
}

function problemsOf(changes: Record<string, string | undefined>, program: Program = 'api'): readonly string[] {
  try {
    loadSettings(program, { ...complete, ...changes });
    return [];
  } catch (error) {
    if (error instanceof InvalidSettings) return error.problems;
    throw error;
  }
}

test('the settings of traces are read as OpenTelemetry writes them', () => {
  expect(loadSettings('worker', complete)).toMatchObject({ OTEL_TRACES_SAMPLER_ARG: 0.01 });
  const given = {
    OTEL_TRACES_SAMPLER_ARG: '.5',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20x, X-Scope=a%2Cb',
  };
  expect(loadSettings('worker', { ...complete, ...given })).toMatchObject({
    OTEL_TRACES_SAMPLER_ARG: 0.5,
    OTEL_EXPORTER_OTLP_HEADERS: { authorization: 'Bearer x', 'x-scope': 'a,b' },
  });
});

describe('wrong settings', () => {
  test('are listed together in one error, in the order of the table', () => {
    const problems = problemsOf({ REDIS_URL: undefined, PORT: '70000', KURIR_LOG_PRETTY: 'perhaps', NODE_ENV: 'prod' });
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
      'NODE_ENV',
      'REDIS_URL',
      'PORT',
      'KURIR_LOG_PRETTY',
    ]);
    expect(() => loadSettings('api', {})).toThrow(/DATABASE_URL is missing[^]*KURIR_INTERNAL_KEY is missing/);
  });

  test.each(['a', 'a=', '=b', 'a=b,', 'a=%zz', 'a=b%0Ac', 'a b=c'])(
    'of a collector are refused unshown: %s',
    (text) => {
      const [problem, ...others] = problemsOf({ OTEL_EXPORTER_OTLP_HEADERS: text });
      expect(others).toEqual([]);
      expect(problem).toBe(
        'OTEL_EXPORTER_OTLP_HEADERS must be headers like name=value, with commas between them and percent-encoded values.',
      );
    },
  );

  test.each(['-1', '1.1', '2', '1e-3', 'half', '0.'])('refuse %s as a share', (text) => {
    expect(problemsOf({ OTEL_TRACES_SAMPLER_ARG: text })).toEqual([
      'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.',
    ]);
  });

  test.each(['DATABASE_URL', 'REDIS_URL', 'KURIR_MASTER_KEY', 'KURIR_INTERNAL_KEY'])(
    'name a missing %s and its purpose',
    (name) => {
      expect(problemsOf({ [name]: undefined })).toEqual([
        expect.stringMatching(new RegExp(`^${name} is missing\\. .+`)),
      ]);
      expect(problemsOf({ [name]: '' })).toEqual([expect.stringContaining(`${name} is missing`)]);
    },
  );

  test.each([
    ['DATABASE_URL', 'mysql://root:hunter2@db/kurir'],
    ['DATABASE_URL', 'hunter2'],
    ['REDIS_URL', 'http://:hunter2@127.0.0.1'],
    ['KURIR_MASTER_KEY', 'hunter2'],
    ['KURIR_INTERNAL_KEY', `${key()}hunter2`],
    ['PORT', 'hunter2'],
    ['KURIR_QUEUE_PREFIX', 'Hunter2'],
    ['NODE_ENV', 'hunter2'],
  ])('in %s are reported without their value', (name, value) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name} `))]);
    expect(problems.join()).not.toMatch(/hunter2/i);
  });

  test.each(['-1', '65536', '1.5', '3000x', ' ', 'NaN', 'Infinity', '0x10', '1e3', '+1'])(
    'refuse the port %j',
    (port) => {
      expect(problemsOf({ PORT: port })).toHaveLength(1);
    },
  );

  test.each(['2.3000', 'v2.3000.1', '2.3000.1-beta', '2.3000.4294967296', '2.3000.-1', ' 2.3000.1', 'latest'])(
    'refuse the version %j of the web client',
    (version) => {
      expect(problemsOf({ KURIR_WHATSAPP_VERSION: version }, 'worker')).toEqual([
        'KURIR_WHATSAPP_VERSION must be a version like 2.3000.1043857760.',
      ]);
    },
  );

  test.each(['on', 'https://proxy.example.com', 'user:hunter2@proxy.example.com', 'socks5h://hunter2'])(
    'refuse to look the version up through %j, and do not repeat that value',
    (way) => {
      expect(problemsOf({ KURIR_WHATSAPP_VERSION_FETCH: way }, 'worker')).toEqual([
        'KURIR_WHATSAPP_VERSION_FETCH must be direct, off or the address of a proxy, starting with http:// or socks5://.',
      ]);
    },
  );

  test('of another program do not stop this one', () => {
    expect(problemsOf({ PORT: 'x', KURIR_INTERNAL_KEY: undefined }, 'admin')).toEqual([]);
    expect(problemsOf({ KURIR_WORKER_CAPACITY: 'x' }, 'api')).toEqual([]);
    expect(loadSettings('migrate', { DATABASE_URL: complete.DATABASE_URL })).toEqual({
      DATABASE_URL: complete.DATABASE_URL,
      KURIR_DATABASE_POOLER: 'none',
    });
  });
});

describe('a secret in a file', () => {
  test('is read without its last line break, and replaces the variable', () => {
    const url = 'postgresql://from@the.file/kurir';
    const loaded = loadSettings('migrate', { ...complete, DATABASE_URL_FILE: fileWith(`${url}\n`) });
    expect(loaded.DATABASE_URL).toBe(url);
  });

  test('that cannot be read is named by its variable, not its path', () => {
    const problems = problemsOf({ KURIR_MASTER_KEY_FILE: join(folder, 'nowhere') });
    expect(problems).toEqual(['KURIR_MASTER_KEY_FILE names a file that cannot be read.']);
  });

  test('that is empty counts as missing', () => {
    const problems = problemsOf({ KURIR_MASTER_KEY_FILE: fileWith('\n') });
    expect(problems).toEqual([expect.stringContaining('KURIR_MASTER_KEY is missing')]);
  });

  test('is not read if the setting is no secret', () => {
    expect(loadSettings('api', { ...complete, PORT_FILE: join(folder, 'nowhere') }).PORT).toBe(3000);
  });
});

describe('good settings', () => {
  test('are typed values, with the defaults of the table', () => {
    expect(loadSettings('api', { ...complete, PORT: '0', KURIR_LOG_PRETTY: '1' })).toMatchObject({
      NODE_ENV: undefined,
      PORT: 0,
      KURIR_LOG_PRETTY: true,
      KURIR_RATE_LIMIT_PER_MINUTE: 6_000,
      KURIR_PUBLIC_URL: undefined,
    });
  });

  test.each(['direct', 'off', 'http://user:secret@10.0.0.1:3128', 'socks5://proxy.example.com:1080'])(
    'look the version of the web client up through %s',
    (way) => {
      const set = { ...complete, KURIR_WHATSAPP_VERSION_FETCH: way, KURIR_WHATSAPP_VERSION: '2.3000.1043857760' };
      expect(loadSettings('worker', set)).toMatchObject({
        KURIR_WHATSAPP_VERSION_FETCH: way,
        KURIR_WHATSAPP_VERSION: '2.3000.1043857760',
      });
    },
  );

  test('contain keys that no log can print', () => {
    const { KURIR_MASTER_KEY: masterKey } = loadSettings('worker', complete);
    expect(`${JSON.stringify(masterKey)} ${inspect(masterKey)}`).not.toContain(complete.KURIR_MASTER_KEY.slice(0, 8));
    expect(masterKey[0].export().toString('base64')).toBe(complete.KURIR_MASTER_KEY);
  });

  test.each(['\n', ',', ' , ', '\n\n'])(
    'contain two keys while one is changed, the first one first, with %j between them',
    (between) => {
      const [next, present] = [key(), key()];
      const { KURIR_MASTER_KEY: keys } = loadSettings('api', {
        ...complete,
        KURIR_MASTER_KEY: next + between + present,
      });
      expect(keys.map((one) => one.export().toString('base64'))).toEqual([next, present]);
    },
  );

  test('contain no key twice', () => {
    const twice = `${complete.KURIR_MASTER_KEY},${complete.KURIR_MASTER_KEY}`;
    expect(problemsOf({ KURIR_MASTER_KEY: twice })).toEqual([expect.stringContaining('each once')]);
  });

  test('contain only the settings of the program', () => {
    expect(loadSettings('worker', complete)).not.toHaveProperty('PORT');
  });
});

test('no secret has a default', () => {
  const secrets = settingNames.filter((name) => (settings[name] as Setting).secret);
  const needed = secrets.filter((name) => !settings[name].schema.safeParse(undefined).success);
  expect(needed).toEqual(['DATABASE_URL', 'REDIS_URL', 'KURIR_MASTER_KEY', 'KURIR_INTERNAL_KEY']);
  for (const name of secrets) expect(settings[name].schema.safeParse(undefined).data, name).toBeUndefined();
});

describe('the roles of a worker', () => {
  test('are all by default, and else the named ones', () => {
    expect(loadSettings('worker', complete).KURIR_WORKER_ROLES).toEqual(['devices', 'webhooks', 'broadcasts']);
    const named = loadSettings('worker', { ...complete, KURIR_WORKER_ROLES: 'webhooks,devices' });
    expect(named.KURIR_WORKER_ROLES).toEqual(['webhooks', 'devices']);
  });

  test.each([',', 'devices,', 'sender', 'devices,devices', 'devices webhooks', 'Devices', ' devices'])(
    'refuse %j, and name the roles that there are',
    (value) => {
      expect(problemsOf({ KURIR_WORKER_ROLES: value }, 'worker')).toEqual([
        'KURIR_WORKER_ROLES must be one or more of devices, webhooks, broadcasts, each once, with commas between them.',
      ]);
    },
  );
});
