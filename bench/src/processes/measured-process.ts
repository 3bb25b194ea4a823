/**
 * A process that the benchmark starts: a program of Kurir or a program in `bare/`. It ends when the benchmark ends, or
 * before. Its output goes to a file, because reading a pipe would cost CPU time during the measurement.
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
  /** The built program, relative to the repository's root. */
  readonly path: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The program is ready when this address answers 200. */
  readonly ready?: string;
  /**
   * The name of a process under test, on either side, and of its CPU profile. Such a process runs with production's
   * flags.
   */
  readonly measuredAs?: string;
};

export type MeasuredProcess = {
  readonly pid: number;
  /** Sends a request to one of the benchmark's own programs. Resolves with its next message, rejects when it ends. */
  ask<Answer>(request: object): Promise<Answer>;
  signal(name: NodeJS.Signals): void;
  /** Sends SIGTERM and waits for the end. */
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
  lost.catch(() => {}); // those who wait for it see the rejection
  if (options.ready !== undefined) await Promise.race([untilReady(options.path, options.ready), lost]);
  return {
    // A started process has a pid.
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

/** SIGTERM lets the process write its CPU profile. A paused process gets the signal only after SIGCONT. */
async function stop(child: ChildProcess, gone: Promise<void>): Promise<void> {
  child.kill('SIGTERM');
  child.kill('SIGCONT');
  const insist = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
  await gone;
  clearTimeout(insist);
}

function ask<Answer>(child: ChildProcess, request: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // The benchmark's programs answer each request once, with the type that the caller of `ask` names.
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
