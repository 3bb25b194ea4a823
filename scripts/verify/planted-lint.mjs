// Proves that the linter is awake: a file that breaks the rules we rely on most must be reported for each of them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SOURCE = `
export async function save(): Promise<number> {
  return 1;
}
save();
[1].forEach(async () => save());
export const loose = (value: any) => value!;
`;

const PAGE = `
import { useState } from 'react';
export function Page({ open }: { open: boolean }) {
  if (open) useState(1);
  return <img src="a.png" />;
}
`;

export const PLANTED_RULES = [
  'no-floating-promises',
  'no-misused-promises',
  'no-explicit-any',
  'no-non-null-assertion',
  'rules-of-hooks',
  'alt-text',
];

/** Calls `lint(folder)`, which resolves with the linter's output, and names the rules that it did not report. */
export async function unreportedRules(lint) {
  const folder = mkdtempSync(join(tmpdir(), 'kurir-lint-'));
  try {
    writeFileSync(join(folder, 'planted.ts'), SOURCE);
    writeFileSync(join(folder, 'planted.tsx'), PAGE);
    const compilerOptions = { strict: true, jsx: 'react-jsx' };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }));
    const output = await lint(folder);
    return PLANTED_RULES.filter((rule) => !output.includes(rule));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
