import { expect, test } from 'vitest';
import { oldNodeWarning } from './node-support.js';

test.each(['22.12.0', '24.0.0', '26.1.0'])('Node %s is supported', (version) =>
  expect(oldNodeWarning(version)).toBeNull(),
);

test.each(['20.20.2', '21.7.3', '18.0.0'])('Node %s gets a warning that names the versions to use', (version) =>
  expect(oldNodeWarning(version)).toMatch(/security fixes.*22 or 24/),
);
