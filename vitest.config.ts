import { defineConfig } from 'vitest/config';

// Most of the tests wait for other processes, which share the machine with them.
const WORKERS = 3;

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: WORKERS,
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
          testTimeout: 120_000,
          hookTimeout: 180_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'scripts',
          include: ['scripts/**/*.test.mjs'],
          testTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // From outside only, on the built programs. After the others, so that their timing is not disturbed.
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          setupFiles: ['./e2e/src/after-each.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
