/**
 * Two apis and two workers, which restart one after another with other settings. The apis stand behind a load balancer.
 * It takes an api out before the api stops. It gives a request whose connection breaks to the other api.
 */
import { KurirConnectionError } from '@kurir/client';
import { freePort, type RunningProgram } from '@kurir/testing';
import type { Stack } from './stack.js';

type Settings = Readonly<Record<string, string>>;
type Instance = { readonly baseUrl: string; readonly port: number; program: RunningProgram; takesRequests: boolean };

export class RollingGateway {
  readonly #stack: Stack;
  readonly #apis: readonly [Instance, Instance];
  readonly #workers: [RunningProgram, RunningProgram];
  #turn = 0;
  /** Requests that went to the other api, because their connection broke. */
  failovers = 0;

  private constructor(stack: Stack, apis: [Instance, Instance], workers: [RunningProgram, RunningProgram]) {
    this.#stack = stack;
    this.#apis = apis;
    this.#workers = workers;
  }

  /** Adds an api and a worker to the stack. */
  static async start(stack: Stack): Promise<RollingGateway> {
    const port = await freePort();
    const [api, second] = await Promise.all([stack.startApi(port), stack.startWorker()]);
    const [first] = stack.workers;
    if (first === undefined) throw new Error('the stack has no worker');
    const of = (own: number, program: RunningProgram): Instance => ({
      baseUrl: `http://127.0.0.1:${own}`,
      port: own,
      program,
      takesRequests: true,
    });
    const apis: [Instance, Instance] = [of(Number(new URL(stack.baseUrl).port), stack.api), of(port, api)];
    return new RollingGateway(stack, apis, [first, second]);
  }

  /** The address of an api that takes requests now. */
  get baseUrl(): string {
    const [first, second] = this.#apis;
    const taking = this.#apis.filter((api) => api.takesRequests);
    return (taking[this.#turn++ % taking.length] ?? (first.takesRequests ? first : second)).baseUrl;
  }

  /** Does the request at one api, and at another one if the connection breaks. */
  async request<T>(work: (baseUrl: string) => Promise<T>): Promise<T> {
    try {
      return await work(this.baseUrl);
    } catch (error) {
      if (!(error instanceof KurirConnectionError)) throw error;
      this.failovers++;
      return work(this.baseUrl);
    }
  }

  /** Restarts each process, one after another. */
  async restart(settings: Settings): Promise<void> {
    for (const api of this.#apis) {
      api.takesRequests = false;
      await api.program.stop();
      api.program = await this.#stack.startApi(api.port, settings);
      api.takesRequests = true;
    }
    for (const index of [0, 1] as const) {
      await this.#workers[index].stop();
      this.#workers[index] = await this.#stack.startWorker(settings);
    }
  }
}
