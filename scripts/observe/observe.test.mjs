// The alerts, the dashboards, the metrics and the runbooks fit each other. With Prometheus at hand, it checks them too.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { definitions } from '../../packages/metrics/dist/index.js';
import { fromRoot } from '../local/paths.mjs';
import { DASHBOARDS } from './dashboards.mjs';

const read = (path) => readFileSync(fromRoot(path), 'utf8');
const rules = parse(read('deploy/observe/alerts.yml')).groups.flatMap((group) => group.rules);
const tests = parse(read('deploy/observe/alerts.test.yml')).tests;
const runbooks = read('docs/alerts.md');
const queries = DASHBOARDS.flatMap(({ rows }) => rows.flat().flatMap((panel) => panel.queries.map(([query]) => query)));

const kinds = new Map(definitions.map(({ name, kind, labels }) => [name, { kind, labels }]));

/** The metric of a series: those of a histogram end with a word of their own. */
function metricOf(series) {
  const base = series.replace(/_(bucket|count|sum)$/, '');
  return kinds.get(series) ?? (kinds.get(base)?.kind === 'histogram' ? kinds.get(base) : undefined);
}

test.each([...rules.map(({ alert, expr }) => [alert, expr]), ...queries.map((query) => [query, query])])(
  '%s asks only for metrics and labels that Kurir has',
  (_name, query) => {
    for (const [, series, labels = ''] of query.matchAll(/(kurir_\w+)(?:\{([^}]*)\})?/g)) {
      const metric = metricOf(series);
      expect(metric, series).toBeDefined();
      for (const [, label] of labels.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g))
        expect([...metric.labels, 'job', 'le']).toContain(label);
    }
  },
);

test('each alert has a test with its cause, and a runbook with a command', () => {
  expect(tests.map(({ name }) => name).toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
  for (const { alert, labels, annotations } of rules) {
    expect(['page', 'ticket']).toContain(labels.severity);
    expect(annotations.runbook).toBe(`docs/alerts.md#${alert.toLowerCase()}`);
    const section = runbooks.split(/^### /m).find((part) => part.startsWith(`${alert}\n`));
    expect(section, alert).toMatch(/^```sh\n(admin|metrics) .+\n```$/m);
  }
  const sections = [...runbooks.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
  expect(sections.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
});

const folder = process.env.KURIR_TEST_PROMETHEUS;

test.skipIf(folder === undefined)('promtool takes the alerts, and each fires for its cause', () => {
  const promtool = (...args) =>
    execFileSync(join(folder, 'promtool'), args, { cwd: fromRoot('deploy/observe'), encoding: 'utf8', stdio: 'pipe' });
  expect(promtool('check', 'rules', 'alerts.yml')).toContain(`SUCCESS: ${rules.length} rules found`);
  expect(promtool('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS');
});
