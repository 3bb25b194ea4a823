/**
 * Runs both sides of a measure in turn, several times, and computes medians and their spread. Each side goes first
 * equally often.
 */
import type { Setting } from '../processes/setting.js';
import type { CpuUs } from '../readings/cpu-time.js';
import { median } from '../readings/percentile.js';
import type { Measure, Sample, Sides } from './measure.js';

export type Comparison = {
  readonly name: string;
  readonly unit: string;
  readonly target: number | null;
  readonly runs: number;
  /** The medians of the rates. */
  readonly ours: number;
  readonly base: number;
  /** The median of the ratios of each run. A change in the machine's load disturbs it less than the rates. */
  readonly ratio: number;
  readonly lowestRatio: number;
  readonly highestRatio: number;
  readonly oursCpuUs: CpuUs;
  readonly baseCpuUs: CpuUs;
  /**
   * For each run, CPU per message of the process under test, ours ÷ base. Empty if the operating system does not report
   * it.
   */
  readonly cpuRatios: readonly number[];
};

const rate = (sample: Sample) => sample.perSecond;

/** The median of each process over the runs. */
function medianCpuUs(samples: readonly Sample[]): CpuUs {
  const names = Object.keys(samples[0]?.cpuUs ?? {});
  return Object.fromEntries(names.map((name) => [name, median(samples.map(({ cpuUs }) => cpuUs[name] ?? Number.NaN))]));
}

type Run = { readonly ours: Sample; readonly base: Sample };

async function runBoth({ ours, base }: Sides, oursFirst: boolean): Promise<Run> {
  if (oursFirst) return { ours: await ours(), base: await base() };
  const baseSample = await base();
  return { ours: await ours(), base: baseSample };
}

const testedCpuUs = ({ cpuUs }: Sample): number | undefined => Object.values(cpuUs)[0];

function cpuRatioOf({ ours, base }: Run): number[] {
  const [our, bare] = [testedCpuUs(ours), testedCpuUs(base)];
  return our === undefined || bare === undefined || bare === 0 ? [] : [our / bare];
}

const ratioOf = ({ ours, base }: Run) => ours.perSecond / base.perSecond;

export async function compare(measure: Measure, setting: Setting, runs: number): Promise<Comparison> {
  const { name, unit, target } = measure;
  setting.tell(`${name}: starting`);
  const sides = await measure.open(setting);
  const done: Run[] = [];
  while (done.length < runs) {
    const run = await runBoth(sides, done.length % 2 === 0);
    done.push(run);
    const figures = `${Math.round(run.ours.perSecond)} ÷ ${Math.round(run.base.perSecond)} ${unit}`;
    setting.tell(`${name}: run ${done.length} of ${runs}: ${figures} = ${ratioOf(run).toFixed(2)}`);
  }
  const [ours, base, ratios] = [done.map((run) => run.ours), done.map((run) => run.base), done.map(ratioOf)];
  return {
    name,
    unit,
    target,
    runs,
    ours: median(ours.map(rate)),
    base: median(base.map(rate)),
    ratio: median(ratios),
    lowestRatio: Math.min(...ratios),
    highestRatio: Math.max(...ratios),
    oursCpuUs: medianCpuUs(ours),
    baseCpuUs: medianCpuUs(base),
    cpuRatios: done.flatMap(cpuRatioOf),
  };
}
