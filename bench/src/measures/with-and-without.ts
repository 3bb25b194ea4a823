/** Two gateways that accept messages and differ in the settings of the api: what a feature costs that is usually off. */
import { startMeasuredGateway } from '../gateway/measured-gateway.js';
import { startLoad } from '../load/load.js';
import type { Setting } from '../processes/setting.js';
import { acceptFor, acceptPlan, warmUpSeconds } from './accept.js';
import type { Sides } from './measure.js';

type With = {
  /** Switches the feature on. */
  readonly apiEnv: Readonly<Record<string, string>>;
  /** Runs when both gateways are there, before they are warmed up. */
  readonly begin?: () => void;
};

export async function openWithAndWithout(setting: Setting, { apiEnv, begin }: With): Promise<Sides> {
  const load = await startLoad(setting);
  const ours = await startMeasuredGateway(setting, { ...acceptPlan, apiEnv });
  const base = await startMeasuredGateway(setting, acceptPlan);
  begin?.();
  await acceptFor(ours, load, warmUpSeconds);
  await acceptFor(base, load, warmUpSeconds);
  return {
    ours: () => acceptFor(ours, load, setting.seconds),
    base: () => acceptFor(base, load, setting.seconds),
  };
}
