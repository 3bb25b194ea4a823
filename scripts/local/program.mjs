// A program that must stay up. It is started, watched until it is ready, started again after a crash with growing
// pauses, and stopped on request. The command says how to start it, so databases and apps are the same here.
import { setTimeout as sleep } from 'node:timers/promises';
import { askToStop, readLines, spawnCommand } from './commands.mjs';

/** Longer than a worker may take to stop (`stopMs` in apps/worker/src/leases/time-limits.ts). */
const STOP_MS = 16_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
const STABLE_AFTER_MS = 30_000;
const LAST_LINES_MS = 300;
const KEPT_LINES = 30;

export class Program {
  #child;
  #exited;
  #stopping = false;
  #crashes = 0;
  #lines = [];

  /**
   * @param spec `{name, command, ready, prepare?, env?, quiet?, readyTimeoutMs?}`. `ready` resolves to whether the
   * program is ready. `prepare` runs before each start, for example to stop an earlier process.
   * @param watch `{line(text), died(outcome, pauseMs), back(ms)}`. These report events to the log and the screen.
   */
  constructor(spec, watch = {}) {
    this.spec = spec;
    this.watch = watch;
  }

  get name() {
    return this.spec.name;
  }

  get pid() {
    return this.#child?.pid;
  }

  get lastLines() {
    return this.#lines;
  }

  /** Resolves when the program is ready. If it dies before that, this rejects, and nothing starts it again. */
  async start() {
    await this.#spawn();
    await this.#untilReady();
    void this.#keepUp();
  }

  /** Asks the program to end, and kills it after `STOP_MS`. Resolves when it is gone. Safe to call twice. */
  async stop() {
    this.#stopping = true;
    if (!this.#child) return;
    askToStop(this.#child);
    const timer = setTimeout(() => this.kill(), STOP_MS);
    await this.#exited;
    clearTimeout(timer);
  }

  /**
   * Ends the program at once. A supervisor is only asked to stop, because a killed one would leave its program behind.
   */
  kill() {
    this.#stopping = true;
    if (!this.#child) return;
    if (this.spec.command.supervised) askToStop(this.#child);
    else this.#child.kill('SIGKILL');
  }

  async #spawn() {
    await this.spec.prepare?.();
    if (this.#stopping) throw new Error(`${this.name} was stopped`);
    const child = spawnCommand(this.spec.command, this.spec.env);
    this.#child = child;
    readLines(child, (line) => this.#keepLine(line));
    this.#exited = new Promise((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) => {
        const outcome = signal ? `killed by ${signal}` : `exit code ${code}`;
        // The last lines arrive with "close". A grandchild that still runs could delay "close" for ever.
        child.once('close', () => resolve(outcome));
        setTimeout(resolve, LAST_LINES_MS, outcome).unref();
      });
    });
  }

  #keepLine(line) {
    this.#lines.push(line);
    if (this.#lines.length > KEPT_LINES) this.#lines.shift();
    this.watch.line?.(line);
  }

  async #untilReady() {
    let outcome;
    void this.#exited.then((text) => {
      outcome = text;
    });
    const timeoutMs = this.spec.readyTimeoutMs ?? 30_000;
    const deadline = performance.now() + timeoutMs;
    while (!(await this.spec.ready())) {
      if (this.#stopping) throw new Error(`${this.name} was stopped`);
      if (outcome) throw this.#endedEarly(outcome);
      if (performance.now() > deadline) throw new Error(`${this.name} was not ready after ${timeoutMs / 1000} s`);
      await sleep(40);
    }
  }

  #endedEarly(outcome) {
    const portTaken = this.#lines.some((line) => line.includes('EADDRINUSE'));
    return Object.assign(new Error(`${this.name} ended before it was ready (${outcome})`), { portTaken });
  }

  async #keepUp() {
    while (!this.#stopping) {
      const since = performance.now();
      const outcome = await this.#exited;
      if (this.#stopping) return;
      if (performance.now() - since > STABLE_AFTER_MS) this.#crashes = 0;
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** this.#crashes, LONGEST_PAUSE_MS);
      this.#crashes += 1;
      this.watch.died?.(outcome, pauseMs);
      await sleep(pauseMs);
      await this.#spawnAgain();
    }
  }

  async #spawnAgain() {
    const since = performance.now();
    try {
      await this.#spawn();
    } catch (error) {
      if (this.#stopping) return;
      this.#exited = Promise.resolve(error.message);
      return;
    }
    this.#untilReady().then(
      () => this.watch.back?.(performance.now() - since),
      () => {}, // it died again, and #keepUp reports that
    );
  }
}
