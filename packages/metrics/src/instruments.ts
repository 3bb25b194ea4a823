/**
 * The kinds of metrics, over prom-client, with one registry for each process. A metric names its labels and their values
 * as a type. So no label can hold a device, an account or a phone number, and the number of series is bounded.
 */
import * as prometheus from 'prom-client';

export const registry = new prometheus.Registry();

type Labels = Readonly<Record<string, string | number>>;

/** The labels of a metric with one series. */
export type NoLabels = Readonly<Record<string, never>>;

/** A line of the table in docs/metrics.md. */
export type Definition = {
  readonly name: string;
  readonly kind: 'counter' | 'histogram' | 'gauge';
  readonly help: string;
  readonly labels: readonly string[];
  /** The program that has it. */
  readonly from: 'api' | 'worker' | 'both';
};

type About<L extends Labels> = Omit<Definition, 'kind' | 'labels'> & { readonly labels: readonly (keyof L & string)[] };

/** All metrics of our own, in the order in which they are defined. */
export const definitions: Definition[] = [];

function define(kind: Definition['kind'], about: About<Labels>): prometheus.MetricConfiguration<string> {
  definitions.push({ ...about, kind });
  const { name, help, labels } = about;
  return { name, help, labelNames: [...labels], registers: [registry] };
}

export type Counter<L extends Labels> = { add(labels: L, count?: number): void };

/** `zeros`: series that are there from the start. Prometheus sees no increase in the first value of a series. */
export function counter<L extends Labels>(about: About<L>, zeros: readonly L[] = []): Counter<L> {
  const made = new prometheus.Counter(define('counter', about));
  for (const labels of zeros) made.inc(labels, 0);
  return { add: (labels, count = 1) => made.inc(labels, count) };
}

/** Its values are seconds. */
export type Histogram<L extends Labels> = { observe(labels: L, seconds: number): void };

/** `zeros`: as those of a counter. */
export function histogram<L extends Labels>(
  about: About<L>,
  buckets: readonly number[],
  zeros: readonly L[] = [],
): Histogram<L> {
  const made = new prometheus.Histogram({ ...define('histogram', about), buckets: [...buckets] });
  for (const labels of zeros) made.zero(labels);
  return { observe: (labels, seconds) => made.observe(labels, seconds) };
}

export type Gauge<L extends Labels> = {
  /** Replaces all values. A value that is not in the list has no series. */
  show(values: readonly (readonly [labels: L, value: number])[]): void;
};

export function gauge<L extends Labels>(about: About<L>): Gauge<L> {
  const made = new prometheus.Gauge(define('gauge', about));
  const clear = () => {
    made.reset();
    // Without labels, prom-client keeps a series with a zero, which would be wrong.
    if (about.labels.length === 0) made.remove();
  };
  clear();
  return {
    show(values) {
      clear();
      for (const [labels, value] of values) made.set(labels, value);
    },
  };
}

let isMeasured = false;

/** Memory, processor, event loop and garbage collection of this process, under the usual names. */
export function measureProcess(): void {
  if (isMeasured) return;
  isMeasured = true;
  prometheus.collectDefaultMetrics({ register: registry });
}
