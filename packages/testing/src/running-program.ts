import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitUntil } from './machine/wait-until.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const dieWithParent = new URL('../../../scripts/local/die-with-parent.mjs', import.meta.url).href;
const FROM_OUTSIDE = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot', 'TZ'];
const running = new Set<RunningProgram>();

export type ProgramOptions = {
  /** The built program, relative to the root of the repository, such as `apps/api/dist/main.js`. */
  readonly path: string;
  readonly args?: readonly string[];
  /** The flags of Node. */
  readonly nodeFlags?: readonly string[];
  /** All settings of the program. It inherits only PATH and the like from the test. */
  readonly env?: Readonly<Record<string, string>>;
  /** An address that returns 200 when the program is ready. Without it the program counts as ready at once. */
  readonly ready?: string;
  readonly readyTimeoutMs?: number;
};

export type ProgramExit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

export type RunningProgram = {
  readonly pid: number;
  /** The lines that the program has written to standard output and standard error. */
  readonly lines: readonly string[];
  readonly exited: Promise<ProgramExit>;
  /** The lines that are JSON, parsed. */
  logs(): Record<string, unknown>[];
  /** Resolves with the first matching line, whether already written or not. */
  waitForLine(pattern: RegExp, timeoutMs?: number): Promise<string>;
  /** Sends a signal such as SIGSTOP or SIGCONT. */
  signal(name: NodeJS.Signals): void;
  /** Asks the program to end, and waits. After `timeoutMs` it kills the program and rejects. Safe to call twice. */
  stop(name?: NodeJS.Signals, timeoutMs?: number): Promise<ProgramExit>;
  /** Kills the program with SIGKILL and waits until it is gone. */
  kill(): Promise<ProgramExit>;
};

/** Runs a built program as its own process. It ends no later than the process of the test. */
export async function startProgram(options: ProgramOptions): Promise<RunningProgram> {
  const child = spawn(
    process.execPath,
    [
      ...(options.nodeFlags ?? []),
      '--enable-source-maps',
      '--import',
      dieWithParent,
      resolve(root, options.path),
      ...(options.args ?? []),
    ],
    { cwd: root, env: environmentFor(options), stdio: ['pipe', 'pipe', 'pipe'] },
  );
  const program = follow(child, options.path);
  running.add(program);
  void program.exited.then(() => running.delete(program));
  if (options.ready) await untilReady(program, options, options.ready);
  return program;
}

/** For `afterEach`: no program may outlive its test. Resolves with the number of programs that still ran. */
export async function stopAllPrograms(): Promise<number> {
  const programs = [...running];
  await Promise.all(programs.map((program) => program.kill()));
  return programs.length;
}

function environmentFor({ env }: ProgramOptions): Record<string, string> {
  const outside = FROM_OUTSIDE.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(outside), NODE_ENV: 'test', ...env };
}

function follow(child: ChildProcess, path: string): RunningProgram {
  const lines: string[] = [];
  collectLines(child, lines);
  child.stdin?.on('error', () => {}); // the program may be gone when the pipe closes
  let gone = false;
  const exited = new Promise<ProgramExit>((settle) => {
    child.once('error', (error) => {
      lines.push(`${path}: ${error.message}`);
      settle({ code: null, signal: null });
    });
    child.once('close', (code, signal) => settle({ code, signal }));
  }).then((exit) => {
    gone = true;
    return exit;
  });

  async function stop(name: NodeJS.Signals = 'SIGTERM', timeoutMs = 15_000): Promise<ProgramExit> {
    child.kill(name);
    try {
      await waitUntil(() => gone, { what: `${path} ends after ${name}`, timeoutMs });
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
    return exited;
  }

  return {
    pid: child.pid ?? -1,
    lines,
    exited,
    logs: () => lines.flatMap(parseLog),
    waitForLine: (pattern, timeoutMs = 30_000) =>
      waitUntil(() => lines.find((line) => pattern.test(line)), { what: `${path} writes ${pattern}`, timeoutMs }),
    signal: (name) => void child.kill(name),
    stop,
    kill: () => stop('SIGKILL'),
  };
}

function collectLines(child: ChildProcess, lines: string[]): void {
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream?.setEncoding('utf8');
    stream?.on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts);
    });
    stream?.on('end', () => {
      if (rest) lines.push(rest);
    });
  }
}

function parseLog(line: string): Record<string, unknown>[] {
  if (!line.startsWith('{')) return [];
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === 'object' && entry !== null ? [{ ...entry }] : [];
  } catch {
    return []; // a text that only looks like a log line
  }
}

async function untilReady(program: RunningProgram, options: ProgramOptions, url: string): Promise<void> {
  let exit: ProgramExit | undefined;
  void program.exited.then((value) => {
    exit = value;
  });
  try {
    await waitUntil(async () => exit !== undefined || (await answersOk(url)), {
      what: `${options.path} answers at ${url}`,
      timeoutMs: options.readyTimeoutMs ?? 180_000,
    });
    if (exit) throw new Error(`${options.path} ended before it was ready: ${JSON.stringify(exit)}`);
  } catch (cause) {
    await program.kill();
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${reason}\n${program.lines.join('\n')}`, { cause });
  }
}

async function answersOk(url: string): Promise<boolean> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
  await answer.body?.cancel();
  return answer.ok;
}
