import { defineConfig } from 'vitest/config';
import { FileOrder } from './scripts/test/file-order.mjs';

// More than a small machine has processors: most of the tests wait for other processes.
const WORKERS = 4;

export default defineConfig({
  test: {
    server: { deps: { external: [/\/(packages|apps)\/[\w-]+\/dist\//] } },
    pool: 'forks',
    maxWorkers: WORKERS,
    expect: { poll: { timeout: 60_000 } },
    sequence: { sequencer: FileOrder },
    reporters: ['default', './scripts/test/summary-reporter.mjs'],
    projects: [
      {
        extends: true,
        test: {
          name: 'packages',
          include: [
            '{packages,apps}/*/{src,test}/**/*.test.ts',
            'examples/**/*.test.ts',
            'bench/{src,test}/**/*.test.ts',
          ],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'scripts',
          include: ['scripts/**/*.test.mjs'],
          testTimeout: 300_000,
        },
      },
      {
        // From outside only, on the built programs.
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          setupFiles: ['./e2e/src/after-each.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
