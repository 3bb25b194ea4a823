/** Writes the table of metrics into docs/metrics.md. With `--check` it fails if the table there is stale. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Definition, definitions } from './index.js';

const path = 'docs/metrics.md';
const file = fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const [begin, end] = ['<!-- metrics: made by `npm run generate` -->', '<!-- /metrics -->'];

const programs = { api: 'api', worker: 'worker', both: 'api, worker' } as const;

const rowOf = ({ name, kind, help, labels, from }: Definition) =>
  `| \`${name}\` | ${kind} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${programs[from]} | ${help} |`;

const table = ['| Metric | Kind | Labels | From | Meaning |', '|---|---|---|---|---|', ...definitions.map(rowOf)].join(
  '\n',
);

const present = readFileSync(file, 'utf8');
const [before = '', rest = ''] = present.split(begin);
const [, after] = rest.split(end);
if (after === undefined) throw new Error(`${path} lacks the marks of its table`);
const wanted = `${before}${begin}\n\n${table}\n\n${end}${after}`;

if (!process.argv.includes('--check')) writeFileSync(file, wanted);
else if (present !== wanted) {
  console.error(`The table in ${path} is stale: run npm run generate`);
  process.exitCode = 1;
}
