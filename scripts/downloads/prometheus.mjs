// Finds Prometheus and promtool for the tests of metrics, dashboards and alerts.
import { dirname, join } from 'node:path';
import { unpackedFromDebian, which } from './debian-packages.mjs';

/** Returns the folder that holds `prometheus` and `promtool`, or null. */
export async function findPrometheus(cacheDir) {
  const program =
    (which('promtool') && which('prometheus')) ??
    (await unpackedFromDebian(join(cacheDir, 'prometheus'), {
      packages: ['prometheus'],
      program: 'usr/bin/prometheus',
    }));
  return program === null ? null : dirname(program);
}
