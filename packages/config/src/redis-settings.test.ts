import { type CertificateFiles, makeCertificateFiles } from '@kurir/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { InvalidSettings, loadSettings } from './load-settings.js';
import { redisAddress } from './redis-settings.js';

const key = Buffer.alloc(32, 'k').toString('base64');
const complete = {
  DATABASE_URL: 'postgresql://kurir@127.0.0.1:5432/kurir',
  REDIS_URL: 'redis://127.0.0.1:6379',
  KURIR_MASTER_KEY: key,
  KURIR_INTERNAL_KEY: key,
};

const load = (changes: Record<string, string>) => redisAddress(loadSettings('worker', { ...complete, ...changes }));

function problemsOf(changes: Record<string, string>): readonly string[] {
  try {
    load(changes);
    return [];
  } catch (error) {
    if (error instanceof InvalidSettings) return error.problems;
    throw error;
  }
}

describe('the address of Redis', () => {
  test.each<[string, Record<string, string>, object]>([
    ['a single server', {}, { urls: ['redis://127.0.0.1:6379'], cluster: false, sentinels: [], tls: {} }],
    [
      'a password with a comma',
      { REDIS_URL: 'redis://:a,b@host' },
      { urls: ['redis://:a,b@host'], cluster: false, sentinels: [], tls: {} },
    ],
    [
      'some nodes of a Cluster',
      { REDIS_URL: 'redis://u:p@a:7001,redis://u:p@b:7002', KURIR_REDIS_CLUSTER: 'true' },
      { urls: ['redis://u:p@a:7001', 'redis://u:p@b:7002'], cluster: true, sentinels: [], tls: {} },
    ],
    [
      'a primary behind Sentinels',
      { REDIS_URL: 'redis://:p@mymaster/2', KURIR_REDIS_SENTINELS: 'redis://:s@a,redis://:s@b:26380' },
      { urls: ['redis://:p@mymaster/2'], cluster: false, sentinels: ['redis://:s@a', 'redis://:s@b:26380'], tls: {} },
    ],
  ])('%s', (_what, changes, address) => {
    expect(load(changes)).toEqual(address);
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ['one of several is none', { REDIS_URL: 'redis://a:1,redis://hunter2:x' }, /^REDIS_URL must be an address/],
    ['a comma without an address', { REDIS_URL: 'redis://a:1,hunter2:2' }, /^REDIS_URL must be an address/],
    ['several without a Cluster', { REDIS_URL: 'redis://a,redis://b' }, /set KURIR_REDIS_CLUSTER=true/],
    [
      'both kinds',
      { KURIR_REDIS_CLUSTER: 'true', KURIR_REDIS_SENTINELS: 'redis://a' },
      /KURIR_REDIS_CLUSTER and KURIR_REDIS_SENTINELS exclude each other/,
    ],
    [
      'two passwords of a Cluster',
      { REDIS_URL: 'redis://:hunter2@a,redis://:x@b', KURIR_REDIS_CLUSTER: 'true' },
      /^REDIS_URL must have the same/,
    ],
    ['a database of a Cluster', { REDIS_URL: 'redis://a/3', KURIR_REDIS_CLUSTER: 'true' }, /only database 0/],
    ['a port of a primary', { KURIR_REDIS_SENTINELS: 'redis://a' }, /^REDIS_URL must name the primary/],
    [
      'two passwords of Sentinels',
      { REDIS_URL: 'redis://mymaster', KURIR_REDIS_SENTINELS: 'redis://:hunter2@a,redis://:x@b' },
      /^KURIR_REDIS_SENTINELS must have the same/,
    ],
    [
      'rubbish instead of a certificate',
      { KURIR_REDIS_TLS_CA: 'hunter2' },
      /^KURIR_REDIS_TLS_CA must be a certificate/,
    ],
    ['rubbish instead of a key', { KURIR_REDIS_TLS_KEY: 'hunter2' }, /^KURIR_REDIS_TLS_KEY must be a private key/],
  ])('is refused with one sentence, without its value: %s', (_what, changes, problem) => {
    const problems = problemsOf(changes);
    expect(problems).toEqual([expect.stringMatching(problem)]);
    expect(problems.join()).not.toContain('hunter2');
  });
});

describe('certificates', () => {
  let made: CertificateFiles;
  beforeAll(() => {
    made = makeCertificateFiles();
  });
  afterAll(() => made.remove());
  const files = () => ({ KURIR_REDIS_TLS_CERT_FILE: made.certificateFile, KURIR_REDIS_TLS_KEY_FILE: made.keyFile });

  test('are read from files', () => {
    const { tls } = load({ REDIS_URL: 'rediss://a', KURIR_REDIS_TLS_CA_FILE: made.certificateFile, ...files() });
    const [certificate, key] = [made.certificate.trim(), made.key.trim()];
    expect(tls).toEqual({ ca: certificate, cert: certificate, key });
  });

  test('need an address with TLS, and a key of their own', () => {
    expect(problemsOf(files())).toEqual([expect.stringContaining('rediss://')]);
    expect(problemsOf({ REDIS_URL: 'rediss://a', KURIR_REDIS_TLS_CERT_FILE: made.certificateFile })).toEqual([
      expect.stringContaining('need each other'),
    ]);
  });
});
