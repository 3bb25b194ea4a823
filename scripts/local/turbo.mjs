// Builds every package, with turbo's cache.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { foreignCommand } from './commands.mjs';
import { runTask, TaskFailed } from './task.mjs';

const CHATTER =
  /npm (error|warn)|: > |: $|cache (hit|miss)|^\s*(•|Tasks:|Cached:|Time:|Failed:|ERROR  run failed)|^\s*$/;

const turboEntry = () => join(createRequire(import.meta.url).resolve('turbo/package.json'), '../bin/turbo');

/** The packages that run in production. The rest of the workspace only measures and tests them. */
export const PRODUCT = ['apps/*', 'packages/*'];

/**
 * Runs turbo tasks of all packages, or only of the folders in `only`. Rejects with the output of the failed task,
 * without the lines that npm and turbo add.
 */
export async function turbo(tasks, { only = [], signal } = {}) {
  const args = [
    turboEntry(),
    'run',
    ...tasks,
    '--output-logs=errors-only',
    '--ui=stream',
    ...only.map((path) => `--filter=./${path}`),
  ];
  const env = { TURBO_TELEMETRY_DISABLED: '1', NODE_ENV: 'development' };
  try {
    await runTask(`turbo run ${tasks.join(' ')}`, foreignCommand(process.execPath, args, { env }), { signal });
  } catch (error) {
    if (error instanceof TaskFailed) error.lines = error.lines.filter((line) => !CHATTER.test(line));
    throw error;
  }
}
