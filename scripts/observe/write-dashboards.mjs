// Writes the dashboards as Grafana reads them. With --check it fails if a file is not what it would write.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fromRoot } from '../local/paths.mjs';
import { DASHBOARDS } from './dashboards.mjs';

const WIDTH = 24;
const HEIGHTS = { stat: 4, timeseries: 8 };
const SOURCE = { type: 'prometheus', uid: '${source}' };

function panelOf({ title, unit, queries, kind }, id, gridPos) {
  const targets = queries.map(([expr, legendFormat], index) => ({
    datasource: SOURCE,
    expr,
    legendFormat,
    refId: String.fromCharCode(65 + index),
  }));
  return {
    id,
    title,
    type: kind,
    datasource: SOURCE,
    gridPos,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    targets,
  };
}

function panelsOf({ rows }) {
  let [y, id] = [0, 0];
  return rows.flatMap((row) => {
    const w = Math.floor(WIDTH / row.length);
    const h = HEIGHTS[row[0].kind];
    const panels = row.map((one, index) => panelOf(one, ++id, { x: index * w, y, w, h }));
    y += h;
    return panels;
  });
}

const dashboardOf = (dashboard) => ({
  uid: `kurir-${dashboard.name}`,
  title: dashboard.title,
  tags: ['kurir'],
  timezone: 'browser',
  schemaVersion: 39,
  refresh: '30s',
  time: { from: 'now-3h', to: 'now' },
  templating: {
    list: [{ name: 'source', label: 'Prometheus', type: 'datasource', query: 'prometheus', current: {}, hide: 0 }],
  },
  links: [{ title: 'Kurir', type: 'dashboards', tags: ['kurir'], asDropdown: true, keepTime: true }],
  panels: panelsOf(dashboard),
});

const isCheck = process.argv.includes('--check');
mkdirSync(fromRoot('deploy/observe/dashboards'), { recursive: true });
for (const dashboard of DASHBOARDS) {
  const path = `deploy/observe/dashboards/${dashboard.name}.json`;
  const wanted = `${JSON.stringify(dashboardOf(dashboard), null, 2)}\n`;
  if (!isCheck) writeFileSync(fromRoot(path), wanted);
  else if (!existsSync(fromRoot(path)) || readFileSync(fromRoot(path), 'utf8') !== wanted) {
    console.error(`${path} is stale: run npm run generate`);
    process.exitCode = 1;
  }
}
