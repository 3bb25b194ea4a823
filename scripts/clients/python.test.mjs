// Runs the Python client's own tests, and compares its methods with the documented operations.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fromRoot } from '../local/paths.mjs';
import { snake } from './python-text.mjs';

const oldest = 'import sys; sys.exit(sys.version_info < (3, 9))';
const hasPython = spawnSync('python3', ['-c', oldest]).status === 0;
const missing = 'skipped: python3 of version 3.9 or later is not installed';
if (!hasPython) console.warn(`clients/python: ${missing}`);

function python(...args) {
  const env = { ...process.env, PYTHONPATH: 'src', PYTHONDONTWRITEBYTECODE: '1' };
  return spawnSync('python3', ['-W', 'error', ...args], { cwd: fromRoot('clients/python'), encoding: 'utf8', env });
}

describe('clients/python', () => {
  it('passes its own tests', (ctx) => {
    if (!hasPython) ctx.skip(missing);
    const { status, stderr } = python('-m', 'unittest', 'discover', '-s', 'tests', '-t', '.');
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringMatching(/^Ran \d{2,} tests/m) });
  });

  it('has a method for each operation, and a text about each', (ctx) => {
    if (!hasPython) ctx.skip(missing);
    const list =
      'from kurir import Kurir; print(*(n for n in dir(Kurir) if getattr(Kurir, n).__doc__ and n[0] != "_"))';
    const { stdout } = python('-c', list);
    const { paths } = JSON.parse(readFileSync(fromRoot('docs/openapi.json'), 'utf8'));
    const operations = Object.values(paths).flatMap((path) => Object.values(path));
    const names = operations.map(({ operationId }) => snake(operationId));
    expect(stdout.trim().split(' ')).toEqual(expect.arrayContaining(names));
    expect(names.length).toBeGreaterThan(50);
  });
});
