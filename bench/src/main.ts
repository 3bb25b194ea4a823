/** The benchmark: runs the named measures and studies one after the other, and prints the figures. */
import { resolve } from 'node:path';
import { accept } from './measures/accept.js';
import { bulk } from './measures/bulk.js';
import { type Comparison, compare } from './measures/compare.js';
import type { Measure } from './measures/measure.js';
import { metrics } from './measures/metrics.js';
import { send } from './measures/send.js';
import { traces } from './measures/traces.js';
import { createCleanup } from './processes/cleanup.js';
import type { Setting } from './processes/setting.js';
import { comparisonRows, formatTable } from './report/comparisons.js';
import type { Findings } from './report/figures.js';
import { figureRows, formatFigures } from './report/figures.js';
import { describeMachine, formatMachine } from './report/machine.js';
import { codes } from './studies/codes.js';
import { events } from './studies/events.js';
import { growth } from './studies/growth.js';
import { inbound } from './studies/inbound.js';
import { oneDevice } from './studies/one-device.js';
import { type Options, readOptions } from './studies/options.js';
import { otp } from './studies/otp.js';
import { scale } from './studies/scale.js';
import { sessions } from './studies/sessions.js';
import { soak } from './studies/soak.js';
import { start } from './studies/start.js';
import type { Study } from './studies/study.js';
import { whatsapp } from './studies/whatsapp.js';
import { writes } from './studies/writes.js';

/** The usual table: the measures and studies that run if none is named. */
const usualMeasures: readonly Measure[] = [accept, bulk];
const usualStudies: readonly Study[] = [otp, codes, writes, growth, whatsapp];
const measures: readonly Measure[] = [...usualMeasures, send, metrics, traces];
const studies: readonly Study[] = [...usualStudies, events, inbound, sessions, oneDevice, soak, scale, start];
const interrupted = 130;

/** Stopping kills programs, and then running measures fail. Such failures are not reported. */
const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping.abort());

const whenStopping = new Promise<never>((_, reject) => {
  stopping.signal.addEventListener('abort', () => reject(new Error('stopped')));
});
whenStopping.catch(() => {}); // the races below see the rejection

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
