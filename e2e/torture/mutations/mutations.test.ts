import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { moduleChange, mutationLogOf, noteApplied } from '../records/mutation-log.js';
import { applyMutation } from './apply-mutation.js';
import { findNotApplied } from './find-not-applied.js';
import { findMutation, mutantNames } from './mutations.js';

const root = new URL('../../../', import.meta.url);

const read = (file: string) => readFileSync(fileURLToPath(new URL(file, root)), 'utf8');

describe.each(mutantNames)('the mutant %s', (name) => {
  const mutation = findMutation(name);

  it('changes every built file that it names', () => {
    for (const file of new Set(mutation.replacements.map((replacement) => replacement.file))) {
      const source = read(file);
      expect(applyMutation(mutation, file, source)).not.toBe(source);
    }
  });

  it('changes something', () => {
    const changes = [mutation.replacements, mutation.sql, Object.keys(mutation.modules)].flat();
    expect(changes).not.toHaveLength(0);
  });
});

it('a replacement whose text is not there exactly once is an error', () => {
  const mutation = { ...findMutation('random-id'), replacements: [{ file: 'a.js', find: 'x', put: 'y' }] };
  expect(() => applyMutation(mutation, 'a.js', 'nothing here')).toThrow('a.js holds 0 times');
  expect(() => applyMutation(mutation, 'a.js', 'x and x')).toThrow('a.js holds 2 times');
});

describe('a change that no program loaded', () => {
  const programs = ['api-1', 'worker-1'];
  const [ofApi, ofWorker, ofBoth] = ['apps/api/dist/a.js', 'apps/worker/dist/w.js', 'packages/queue/dist/q.js'];
  const replacements = [ofApi, ofWorker, ofBoth].map((file) => ({ file, find: 'x', put: 'y' }));
  const mutation = { replacements, modules: { bullmq: 'other' } };

  it('is reported with the program that should have loaded it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kurir-torture-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const note = (program: string, change: string) => noteApplied(mutationLogOf(folder, program), change);
    expect(findNotApplied(mutation, folder, programs)).toEqual([
      `api-1 never loaded ${ofApi}`,
      `worker-1 never loaded ${ofWorker}`,
      `worker-1 never loaded ${ofBoth}`,
      'worker-1 never loaded module bullmq',
    ]);
    // The api loads packages too, but a mutation of a package breaks the worker.
    note('api-1', ofBoth);
    note('api-1', ofApi);
    note('worker-1', ofWorker);
    note('worker-1', moduleChange('bullmq'));
    expect(findNotApplied(mutation, folder, programs)).toEqual([`worker-1 never loaded ${ofBoth}`]);
    note('worker-1', ofBoth);
    expect(findNotApplied(mutation, folder, programs)).toEqual([]);
  });
});
