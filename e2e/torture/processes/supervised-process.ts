/**
 * One process under attack. It starts again whenever it ends, as under an operator's supervisor. It may be killed at
 * any time, even while it starts.
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
  /** Called before each start, because a mutation or a setting may have changed. */
  readonly command: () => Command;
  /** The file with the process's pid, if the command is only a wrapper. */
  readonly pidFile?: string;
  readonly ready: () => Promise<boolean>;
  readonly logFile: string;
};

const startAgainMs = 200;
const readyEveryMs = 40;
const asleepMs = 25;
/** No program takes so long, even on a busy machine. */
const readyWithinMs = 300_000;

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

  /** Grows with each start. Code that undoes a fault compares it, because the process may have restarted. */
  get life(): number {
    return this.#lives;
  }

  start(): void {
    this.#stopping = false;
    this.#running = this.#keepUp();
  }

  /** Resolves when the process is ready. */
  async untilReady(): Promise<void> {
    const what = `${this.name} works again`;
    await waitUntil(() => this.#spec.ready(), { what, timeoutMs: readyWithinMs, everyMs: readyEveryMs });
  }

  /** Returns the pid of the living process. Waits while there is none. */
  async pid(): Promise<number> {
    return waitUntil(() => this.#pid(), { what: `${this.name} lives`, timeoutMs: readyWithinMs, everyMs: asleepMs });
  }

  /** Sends a signal to the living process. Returns false if it has just ended. */
  async signal(signal: NodeJS.Signals): Promise<boolean> {
    return this.#send(await this.pid(), signal);
  }

  /** Sends a signal only if the process is still in this life. */
  signalLife(life: number, signal: NodeJS.Signals): boolean {
    const pid = this.#pid();
    return pid !== null && life === this.#lives && this.#send(pid, signal);
  }

  /** Ends the process with a signal and keeps it down for `downMs`. Calls `work` before the process starts again. */
  async end(signal: NodeJS.Signals, downMs = 0, work?: () => void): Promise<void> {
    const pid = await this.pid();
    const gone = this.#gone;
    this.#notBefore = Math.max(this.#notBefore, performance.now() + downMs);
    if (work !== undefined) this.#whileDown.push(work);
    if (signal === 'SIGKILL') this.#lostPid = pid;
    this.#send(pid, signal);
    await gone;
  }

  /** Stops the process and does not start it again. A paused process gets the signal only after SIGCONT. */
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
    child.stdin?.on('error', () => {}); // the process may be gone when the pipe closes
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
      return false; // the process has just ended by itself
    }
  }
}

function readPid(path: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(path, 'utf8'), 10);
    return pid > 0 ? pid : null;
  } catch {
    return null; // the process has not written it yet
  }
}
