/** The benchmark: runs the measures that were named, one after the other, and prints what came out. */
import { resolve } from 'node:path';
import { accept } from './accept.js';
import { bulk } from './bulk.js';
import { createCleanup } from './cleanup.js';
import { codes } from './codes.js';
import { type Comparison, compare } from './compare.js';
import { figureRows, formatFigures } from './figures.js';
import { growth } from './growth.js';
import { describeMachine, formatMachine } from './machine.js';
import type { Measure, Setting } from './measure.js';
import { oneDevice } from './one-device.js';
import { type Options, readOptions } from './options.js';
import { otp } from './otp.js';
import { comparisonRows, formatTable } from './report.js';
import { scale } from './scale.js';
import { send } from './send.js';
import { sessions } from './sessions.js';
import { soak } from './soak.js';
import { start } from './start.js';
import type { Findings, Study } from './study.js';
import { whatsapp } from './whatsapp.js';
import { writes } from './writes.js';

/** The usual table: what runs when nothing is named. */
const usualMeasures: readonly Measure[] = [accept, bulk];
const usualStudies: readonly Study[] = [otp, codes, writes, growth, whatsapp];
const measures: readonly Measure[] = [...usualMeasures, send];
const studies: readonly Study[] = [...usualStudies, sessions, oneDevice, soak, scale, start];
const interrupted = 130;

/** Programs that were killed make running measures fail; that is no news then. */
const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping.abort());

const whenStopping = new Promise<never>((_, reject) => {
  stopping.signal.addEventListener('abort', () => reject(new Error('stopped')));
});
whenStopping.catch(() => {}); // it matters to those who race it

const tell = (text: string) => void process.stderr.write(`  ${text}\n`);

type Work<Result> = (setting: Setting) => Promise<Result>;

async function within<Result>(name: string, options: Options, work: Work<Result>): Promise<Result> {
  const { seconds, profileFolder } = options;
  const cleanup = createCleanup();
  const folder = profileFolder === null ? null : resolve(profileFolder, name);
  try {
    return await Promise.race([work({ seconds, profileFolder: folder, tell, cleanup }), whenStopping]);
  } finally {
    await cleanup.run();
  }
}

const chosen = <Named extends { readonly name: string }>(
  { names }: Options,
  usual: readonly Named[],
  all: readonly Named[],
) => (names.length === 0 ? usual : all.filter(({ name }) => names.includes(name)));

async function compareAll(options: Options): Promise<Comparison[]> {
  const results: Comparison[] = [];
  for (const measure of chosen(options, usualMeasures, measures))
    results.push(await within(measure.name, options, (setting) => compare(measure, setting, options.runs)));
  return results;
}

async function studyAll(options: Options): Promise<Findings[]> {
  const results: Findings[] = [];
  for (const { name, run } of chosen(options, usualStudies, studies))
    results.push({ study: name, figures: await within(name, options, (setting) => run(setting, options)) });
  return results;
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const machine = await describeMachine();
  tell(formatMachine(machine));
  const comparisons = await compareAll(options);
  const findings = await studyAll(options);
  const tables = [...(comparisons.length > 0 ? [formatTable(comparisons)] : []), ...findings.map(formatFigures)];
  const text = [formatMachine(machine), ...tables].map((part) => `\n${part}\n`).join('');
  if (!options.json) return void process.stdout.write(text);
  process.stderr.write(text);
  const rows = [...comparisonRows(comparisons), ...findings.flatMap(figureRows)];
  process.stdout.write(`${JSON.stringify({ ...machine, rows }, null, 2)}\n`);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    if (!stopping.signal.aborted) tell(`\n${error instanceof Error ? error.message : String(error)}`);
    process.exit(stopping.signal.aborted ? interrupted : 1);
  },
);
