/** The benchmark: runs the measures that were named, one after the other, and prints what came out. */
import { availableParallelism, loadavg } from 'node:os';
import { resolve } from 'node:path';
import { accept } from './accept.js';
import { bulk } from './bulk.js';
import { createCleanup } from './cleanup.js';
import { type Comparison, compare } from './compare.js';
import type { Measure, Setting } from './measure.js';
import { type Options, readOptions } from './options.js';
import { formatJson, formatTable } from './report.js';
import { send } from './send.js';

const measures: readonly Measure[] = [accept, bulk, send];
const interrupted = 130;

/** Programs that were killed make running measures fail; that is no news then. */
const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping.abort());

const whenStopping = new Promise<never>((_, reject) => {
  stopping.signal.addEventListener('abort', () => reject(new Error('stopped')));
});
whenStopping.catch(() => {}); // it matters to those who race it

const tell = (text: string) => void process.stderr.write(`  ${text}\n`);

async function measureOne(measure: Measure, { runs, seconds, profileFolder }: Options): Promise<Comparison> {
  const cleanup = createCleanup();
  const folder = profileFolder === null ? null : resolve(profileFolder, measure.name);
  const setting: Setting = { seconds, profileFolder: folder, tell, cleanup };
  try {
    return await Promise.race([compare(measure, setting, runs), whenStopping]);
  } finally {
    await cleanup.run();
  }
}

function machine(): string {
  const load = loadavg()[0] ?? 0;
  return `Node ${process.version}, ${availableParallelism()} cores, load ${load.toFixed(1)} at the start`;
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const wanted = measures.filter(({ name }) => options.names.length === 0 || options.names.includes(name));
  tell(machine());
  const results: Comparison[] = [];
  for (const measure of wanted) results.push(await measureOne(measure, options));
  const table = `\n${formatTable(results)}\n`;
  if (!options.json) return void process.stdout.write(table);
  process.stderr.write(table);
  process.stdout.write(`${formatJson(results)}\n`);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    if (!stopping.signal.aborted) tell(`\n${error instanceof Error ? error.message : String(error)}`);
    process.exit(stopping.signal.aborted ? interrupted : 1);
  },
);
