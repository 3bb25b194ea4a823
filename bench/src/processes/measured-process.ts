/**
 * A process of the benchmark: one of the product's programs, or one of the bare ones in `bare/`. What it writes goes
 * to a file, so that reading its log costs nobody CPU time while it is measured. It ends with this process at the
 * latest.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeFlags, waitUntil } from '@kurir/testing';
import type { Setting } from './setting.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const dieWithParent = new URL('../../../scripts/local/die-with-parent.mjs', import.meta.url).href;
const fromOutside = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot', 'TZ'];
const stopWithinMs = 15_000;
const linesShown = 20;

export type ProcessOptions = {
  /** The built program, seen from the repository's root. */
  readonly path: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The address that answers 200 once it works. */
  readonly ready?: string;
  /** What is measured, on either side, has a name: it runs with the flags of production, and its CPU profile is called so. */
  readonly measuredAs?: string;
};

export type MeasuredProcess = {
  readonly pid: number;
  /** Sends a request to one of our own child programs and resolves with its next message. Rejects when it dies. */
  ask<Answer>(request: object): Promise<Answer>;
  signal(name: NodeJS.Signals): void;
  /** SIGTERM, and waits until it is gone. */
  stop(): Promise<void>;
};

export async function startMeasuredProcess(setting: Setting, options: ProcessOptions): Promise<MeasuredProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'kurir-bench-'));
  const logPath = join(folder, 'log');
  const child = launch(setting, options, logPath);
  const gone = endOf(child);
  setting.cleanup.add(async () => {
    await stop(child, gone);
    rmSync(folder, { recursive: true, force: true });
  });
  const lost = gone.then((): never => {
    throw new Error(`${options.path} has ended:\n${lastLines(logPath)}`);
  });
  lost.catch(() => {}); // it matters to those who wait for it
  if (options.ready !== undefined) await Promise.race([untilReady(options.path, options.ready), lost]);
  return {
    // A process that was started has a pid.
    pid: child.pid ?? -1,
    ask: <Answer>(request: object) => Promise.race([ask<Answer>(child, request), lost]),
    signal: (name) => void child.kill(name),
    stop: () => stop(child, gone),
  };
}

function launch({ profileFolder }: Setting, options: ProcessOptions, logPath: string): ChildProcess {
  const profile =
    profileFolder === null || options.measuredAs === undefined
      ? []
      : ['--cpu-prof', '--cpu-prof-dir', profileFolder, '--cpu-prof-name', `${options.measuredAs}.cpuprofile`];
  const log = openSync(logPath, 'a');
  const flags = options.measuredAs === undefined ? [] : nodeFlags();
  const args = [...flags, ...profile, '--import', dieWithParent, join(root, options.path), ...(options.args ?? [])];
  const env = Object.fromEntries(fromOutside.map((name) => [name, process.env[name]]));
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...env, NODE_ENV: 'production', ...options.env },
    stdio: ['pipe', log, log, 'ipc'],
  });
  closeSync(log);
  child.stdin?.on('error', () => {}); // it may be gone when the pipe closes
  return child;
}

const endOf = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });

/** Politely, so that a CPU profile is written; a paused process hears nothing before it goes on. */
async function stop(child: ChildProcess, gone: Promise<void>): Promise<void> {
  child.kill('SIGTERM');
  child.kill('SIGCONT');
  const insist = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
  await gone;
  clearTimeout(insist);
}

function ask<Answer>(child: ChildProcess, request: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // Our own programs answer each request once, with the type that the caller of `ask` names.
    child.once('message', (answer) => resolve(answer as Answer));
    child.send(request, (error) => {
      if (error) reject(error);
    });
  });
}

function untilReady(path: string, url: string): Promise<unknown> {
  const answersOk = async () => (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok;
  return waitUntil(answersOk, { what: `${basename(path)} answers at ${url}`, timeoutMs: 30_000 });
}

function lastLines(logPath: string): string {
  return readFileSync(logPath, 'utf8').trimEnd().split('\n').slice(-linesShown).join('\n');
}
