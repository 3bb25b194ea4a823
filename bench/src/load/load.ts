import { startMeasuredProcess } from '../processes/measured-process.js';
import type { Setting } from '../processes/setting.js';
import type { Clocked } from '../readings/cpu-time.js';
import type { LoadRequest, RunPlan, RunResult } from './load-generator.js';
import type { RequestPlan } from './prepare-requests.js';

export type Load = {
  /** Makes and signs the requests of the next run. Replaces those that are left of the last one. */
  prepare(plan: RequestPlan): Promise<void>;
  /** Sends the prepared requests. Rejects if any answer is not 200. */
  run(plan: RunPlan): Promise<RunResult>;
  readonly clocked: Clocked;
};

export async function startLoad(setting: Setting): Promise<Load> {
  const generator = await startMeasuredProcess(setting, { path: 'bench/dist/load/load-generator.js' });
  const ask = <Answer>(request: LoadRequest) => generator.ask<Answer>(request);
  return {
    async prepare(plan) {
      await ask({ kind: 'prepare', ...plan });
    },
    async run(plan) {
      const result = await ask<RunResult>({ kind: 'run', ...plan });
      if (result.refusal !== null) throw new Error(`a request was answered with ${result.refusal}`);
      return result;
    },
    clocked: { name: 'generator', pid: generator.pid },
  };
}
