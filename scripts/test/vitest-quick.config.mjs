// The configuration of vitest for `npm run test:quick`.
import { defineConfig } from 'vitest/config';
import { root } from '../local/paths.mjs';
import { findQuickFiles } from './quick-files.mjs';

export default defineConfig({
  root,
  test: {
    include: findQuickFiles(root).quick,
    setupFiles: ['./scripts/test/no-servers.mjs'],
    reporters: ['default', './scripts/test/summary-reporter.mjs'],
    testTimeout: 60_000,
  },
});
