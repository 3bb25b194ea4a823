/**
 * One process under attack: it is started, and started again whenever it ends, as an operator's supervisor would. It
 * may be killed at any time, also while it starts.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '@kurir/testing';

export type Command = {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
};

export type ProcessSpec = {
  readonly name: string;
  /** Asked before each start: a mutation or a setting may have changed. */
  readonly command: () => Command;
  /** Where the process writes its pid, when the command only wraps it. */
  readonly pidFile?: string;
  readonly ready: () => Promise<boolean>;
  readonly logFile: string;
};

const startAgainMs = 200;
const readyEveryMs = 40;
const asleepMs = 25;
/** No program of ours takes so long, on however busy a machine. */
const readyWithinMs = 120_000;

export class SupervisedProcess {
  readonly #spec: ProcessSpec;
  #child: ChildProcess | null = null;
  #gone: Promise<void> = Promise.resolve();
  #running: Promise<void> = Promise.resolve();
  #stopping = false;
  #notBefore = 0;
  #whileDown: (() => void)[] = [];
  #lostPid: number | null = null;
  #lives = 0;

  constructor(spec: ProcessSpec) {
    this.#spec = spec;
  }

  get name(): string {
    return this.#spec.name;
  }

  /** Rises with each start: who wants to undo something asks whether it is still the same life. */
  get life(): number {
    return this.#lives;
  }

  start(): void {
    this.#stopping = false;
    this.#running = this.#keepUp();
  }

  /** Ends when it answers. */
  async untilReady(): Promise<void> {
    const what = `${this.name} works again`;
    await waitUntil(() => this.#spec.ready(), { what, timeoutMs: readyWithinMs, everyMs: readyEveryMs });
  }

  /** The pid of the living process; waits while there is none. */
  async pid(): Promise<number> {
    return waitUntil(() => this.#pid(), { what: `${this.name} lives`, timeoutMs: readyWithinMs, everyMs: asleepMs });
  }

  /** Signals the present life; false when it is gone. */
  async signal(signal: NodeJS.Signals): Promise<boolean> {
    return this.#send(await this.pid(), signal);
  }

  /** Signals the process only while it is in the life that the caller means. */
  signalLife(life: number, signal: NodeJS.Signals): boolean {
    const pid = this.#pid();
    return pid !== null && life === this.#lives && this.#send(pid, signal);
  }

  /** Ends it with a signal, keeps it down for a while, and does `work` to what it left before it starts again. */
  async end(signal: NodeJS.Signals, downMs = 0, work?: () => void): Promise<void> {
    const pid = await this.pid();
    const gone = this.#gone;
    this.#notBefore = Math.max(this.#notBefore, performance.now() + downMs);
    if (work !== undefined) this.#whileDown.push(work);
    if (signal === 'SIGKILL') this.#lostPid = pid;
    this.#send(pid, signal);
    await gone;
  }

  /** For good. A paused process hears nothing before it goes on. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#child?.stdin?.end('stop\n');
    const pid = this.#pid();
    if (pid !== null) this.#send(pid, 'SIGCONT');
    const insist = setTimeout(() => {
      const left = this.#pid();
      if (left !== null) this.#send(left, 'SIGKILL');
    }, 16_000);
    await this.#running;
    clearTimeout(insist);
  }

  async #keepUp(): Promise<void> {
    while (!this.#stopping) {
      for (const work of this.#whileDown.splice(0)) work();
      this.#spawn();
      await this.#gone;
      await sleep(Math.max(startAgainMs, this.#notBefore - performance.now()));
    }
  }

  #spawn(): void {
    const { file, args, env, cwd } = this.#spec.command();
    const log = openSync(this.#spec.logFile, 'a');
    const child = spawn(file, args, { cwd, env, stdio: ['pipe', log, log] });
    closeSync(log);
    child.stdin?.on('error', () => {}); // it may be gone when the pipe closes
    this.#child = child;
    this.#lives++;
    this.#gone = new Promise((resolve) => {
      child.once('error', () => resolve());
      child.once('exit', () => {
        this.#child = null;
        resolve();
      });
    });
  }

  #pid(): number | null {
    if (this.#child === null) return null;
    const pid = this.#spec.pidFile === undefined ? (this.#child.pid ?? null) : readPid(this.#spec.pidFile);
    return pid === this.#lostPid ? null : pid;
  }

  #send(pid: number, signal: NodeJS.Signals): boolean {
    try {
      return process.kill(pid, signal);
    } catch {
      return false; // it ended by itself a moment ago
    }
  }
}

function readPid(path: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(path, 'utf8'), 10);
    return pid > 0 ? pid : null;
  } catch {
    return null; // not written yet
  }
}
