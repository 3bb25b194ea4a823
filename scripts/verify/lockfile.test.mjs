import { expect, test } from 'vitest';
import { lockfileProblems } from './lockfile.mjs';

const manifests = { '': { dependencies: { tool: '1.0.0' } }, 'packages/a': { dependencies: { tool: '1.0.0' } } };
const complete = () => ({
  packages: {
    '': { dependencies: { tool: '1.0.0' } },
    'packages/a': { dependencies: { tool: '1.0.0' } },
    'node_modules/tool': { version: '1.0.0', optionalDependencies: { 'tool-mac': '1.0.0', inner: '2.0.0' } },
    'node_modules/tool-mac': { version: '1.0.0', os: ['darwin'], resolved: 'https://registry.npmjs.org/tool-mac.tgz' },
    'node_modules/tool/node_modules/inner': { version: '2.0.0', dependencies: { tool: '1.0.0' } },
  },
});

test('a complete lockfile has no problems', () => expect(lockfileProblems(complete(), manifests)).toEqual([]));

test('a package of another platform that was left out is a problem', () => {
  const lockfile = complete();
  delete lockfile.packages['node_modules/tool-mac'];
  expect(lockfileProblems(lockfile, manifests)).toEqual(['tool-mac, needed by node_modules/tool, is missing']);
});

test("another host than npm's registry is a problem", () => {
  const lockfile = complete();
  lockfile.packages['node_modules/tool'].resolved = 'https://mirror.example/tool.tgz';
  expect(lockfileProblems(lockfile, manifests)).toEqual(['node_modules/tool comes from mirror.example']);
});

test('a package.json that changed without the lockfile is a problem', () => {
  const changed = { ...manifests, 'packages/a': { dependencies: { tool: '1.0.0', other: '1.0.0' } } };
  expect(lockfileProblems(complete(), changed)).toEqual(['dependencies of packages/a differ; run npm install']);
});

test('a range instead of a version is a problem', () => {
  const lockfile = complete();
  lockfile.packages[''].dependencies.tool = '^1.0.0';
  const ranged = { ...manifests, '': { dependencies: { tool: '^1.0.0' } } };
  expect(lockfileProblems(lockfile, ranged)).toEqual(['tool in the root is "^1.0.0"; exact versions only']);
});

test('a package under another name is exact when its version is', () => {
  const aliased = (version) => {
    const lockfile = complete();
    lockfile.packages[''].dependencies.tool = version;
    return lockfileProblems(lockfile, { ...manifests, '': { dependencies: { tool: version } } });
  };
  expect(aliased('npm:@some/older-tool@1.0.0')).toEqual([]);
  expect(aliased('npm:older-tool@^1.0.0')).toEqual([
    'tool in the root is "npm:older-tool@^1.0.0"; exact versions only',
  ]);
});
