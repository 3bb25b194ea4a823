// Runs a command to its end, such as a build or a migration. Its output is shown only if it fails.
import { askToStop, readLines, spawnCommand } from './commands.mjs';

const KEPT_LINES = 200;

export class TaskFailed extends Error {
  constructor(name, outcome, lines) {
    super(`${name} failed (${outcome})`);
    this.name = 'TaskFailed';
    this.lines = lines;
  }
}

/** Resolves with standard output and its lines. Rejects with `TaskFailed`, also if `signal` aborts the command. */
export function runTask(name, command, { env, signal, onLine } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawnCommand(command, env);
    const lines = [];
    let stdout = '';
    child.stdout.on('data', (text) => {
      stdout += text;
    });
    readLines(child, (line) => {
      onLine?.(line);
      lines.push(line);
      if (lines.length > KEPT_LINES) lines.shift();
    });
    const stop = () => askToStop(child);
    signal?.addEventListener('abort', stop, { once: true });
    child.once('error', reject);
    child.once('close', (code, killedBy) => {
      signal?.removeEventListener('abort', stop);
      if (code === 0) resolve({ stdout, lines });
      else reject(new TaskFailed(name, killedBy ?? `exit code ${code}`, lines));
    });
  });
}
