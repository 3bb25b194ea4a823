/** Runs one attack. scripts/torture.mjs starts it, after it has built everything and found the two servers. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Options, readOptions } from './options.js';
import type { ServerCommands } from './processes/servers.js';
import { isClean } from './report/describe-findings.js';
import { formatFigures } from './report/format-figures.js';
import { runAttack } from './runs/attack.js';
import { runBroadcasts } from './runs/broadcasts.js';
import { runFailover } from './runs/failover.js';
import { runKills } from './runs/kills.js';
import { runRestore } from './runs/restore.js';
import { runUpgrade } from './runs/upgrade.js';

type Outcome = {
  readonly figures: Record<string, unknown> & { readonly findings: readonly string[] };
  readonly good: boolean;
};

const brokenOff = 3;
const startedAt = performance.now();

/** Progress goes to standard error, because standard output is for the figures. */
function tell(text: string): void {
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  process.stderr.write(`${String(seconds).padStart(5)} s  ${text}\n`);
}

async function play(options: Options, commands: ServerCommands, signal: AbortSignal): Promise<Outcome> {
  const run = { ...options, commands, tell, signal };
  switch (options.kind) {
    case 'broadcasts': {
      const figures = await runBroadcasts(run);
      return { figures, good: figures.findings.length === 0 };
    }
    case 'failover': {
      const figures = await runFailover(run);
      return { figures, good: figures.findings.length === 0 };
    }
    case 'kills': {
      const figures = await runKills(run);
      return { figures, good: figures.findings.length === 0 };
    }
    case 'restore': {
      const figures = await runRestore(run);
      return { figures, good: figures.findings.length === 0 };
    }
    case 'upgrade': {
      const figures = await runUpgrade(run);
      return { figures, good: isClean(figures) && figures.answers_5xx === 0 && figures.expired === 0 };
    }
    default: {
      const figures = await runAttack(run);
      return { figures, good: isClean(figures) };
    }
  }
}

async function run(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  // scripts/torture.mjs writes this.
  const commands = JSON.parse(process.env['TORTURE_SERVERS'] ?? '') as ServerCommands;
  const abort = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => abort.abort());
  mkdirSync(options.directory, { recursive: true });
  const { figures, good } = await play(options, commands, abort.signal);
  // This file tells scripts/torture.mjs that the run came to its end.
  writeFileSync(join(options.directory, 'report.json'), JSON.stringify(figures));
  process.stdout.write(`${options.json ? JSON.stringify(figures, null, 2) : formatFigures(figures)}\n`);
  return good ? 0 : 1;
}

run().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(brokenOff);
  },
);
