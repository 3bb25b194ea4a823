/** A short attack with the same overlapping faults each time. */
import { startProgram } from '@kurir/testing';
import { expect, it } from 'vitest';
import { mustBeZero } from './checks/findings.js';

/** A busy machine needs more time than a quiet one, but the figures are the same. */
const limitMs = 1_200_000;

it(
  'twenty overlapping faults lose nothing, repeat nothing and reorder nothing',
  async ({ skip }) => {
    const args = ['--no-build', '--faults', '20', '--seed', '20', '--json'];
    const attack = await startProgram({ path: 'scripts/torture.mjs', args });
    const { code } = await attack.exited;
    const said = attack.lines.join('\n');
    if (said.includes('needs a real Redis')) skip('no real Redis was found');
    if (!said.includes('\n{\n'))
      throw new Error(`The run broke off with ${code}:\n${attack.lines.slice(-8).join('\n')}`);
    const figures: unknown = JSON.parse(said.slice(said.indexOf('\n{\n') + 1, said.lastIndexOf('\n}') + 2));
    expect(figures, said).toMatchObject(Object.fromEntries(mustBeZero.map((name) => [name, 0])));
    expect(figures).toMatchObject({ faults: 20, accepted: expect.any(Number) });
    expect(code, said).toBe(0);
  },
  limitMs,
);
