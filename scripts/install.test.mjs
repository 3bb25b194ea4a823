import { expect, test } from 'vitest';
import { installHash, isInstalled, isNodeTooOld, isNodeUnsupported } from './install.mjs';

test.each(['18.20.4', '19.9.0', '20.18.3'])('Node %s is too old', (version) =>
  expect(isNodeTooOld(version)).toBe(true),
);
test.each(['20.19.0', '22.0.0', '24.21.0'])('Node %s is new enough', (version) =>
  expect(isNodeTooOld(version)).toBe(false),
);

test.each([
  ['20.20.2', true],
  ['22.12.0', false],
  ['24.21.0', false],
])('Node %s gets a warning: %s', (version, warned) => expect(isNodeUnsupported(version)).toBe(warned));

test('the hash depends on the lockfile, the platform and the architecture', () => {
  const hashes = [
    installHash('lock', 'linux', 'x64'),
    installHash('lock2', 'linux', 'x64'),
    installHash('lock', 'darwin', 'x64'),
    installHash('lock', 'linux', 'arm64'),
  ];
  expect(new Set(hashes).size).toBe(hashes.length);
  expect(installHash('lock', 'linux', 'x64')).toBe(hashes[0]);
});

test('the hash is the published SHA-256 of lockfile, zero byte, platform and architecture', () => {
  // printf 'lock\0linux x64' | sha256sum
  expect(installHash('lock', 'linux', 'x64')).toBe('51032d5e3c89ed11c536f80e782f99447fcf4b75ade71d128a2677bd60906d0a');
});

const wanted = {
  packages: {
    '': {},
    'packages/a': { version: '1.0.0' },
    'node_modules/a': { link: true },
    'node_modules/b': { version: '2.0.0', integrity: 'sha512-b' },
    'node_modules/mac': { version: '1.0.0', integrity: 'sha512-m', optional: true, os: ['darwin'] },
    'node_modules/here': { version: '1.0.0', integrity: 'sha512-h', optional: true, os: ['linux'], cpu: ['x64'] },
    'node_modules/musl': { version: '1.0.0', optional: true, os: ['linux'], cpu: ['x64'], libc: ['musl'] },
    'node_modules/of-mac': { version: '1.0.0', optional: true },
  },
};
const on = { platform: 'linux', arch: 'x64' };
const without = (path) => ({
  packages: Object.fromEntries(Object.entries(wanted.packages).filter(([key]) => key !== path)),
});

test.each(['mac', 'musl', 'of-mac'])(
  'nothing is installed when %s is missing, which is for other platforms',
  (name) => {
    expect(isInstalled(wanted, without(`node_modules/${name}`), on)).toBe(true);
  },
);
test.each(['node_modules/b', 'node_modules/here', 'node_modules/a'])('a missing %s is installed', (path) => {
  expect(isInstalled(wanted, without(path), on)).toBe(false);
});
test('a moved command of a workspace is linked again', () => {
  const moved = structuredClone(wanted);
  moved.packages['packages/a'].bin = { a: 'bin/a.js' };
  expect(isInstalled(moved, wanted, on)).toBe(false);
});
test('another version is installed', () => {
  const other = structuredClone(wanted);
  other.packages['node_modules/b'] = { version: '1.9.0', integrity: 'sha512-old' };
  expect(isInstalled(wanted, other, on)).toBe(false);
});
