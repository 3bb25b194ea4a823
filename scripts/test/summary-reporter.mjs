// Writes the results of the tests to a file. `npm test` prints them at the end.
import { writeFileSync } from 'node:fs';

const reasonInName = /\s*\(skipped: (.+?)\)/;

export default class SummaryReporter {
  onTestRunEnd(testModules, unhandledErrors) {
    const path = process.env.KURIR_TEST_SUMMARY;
    if (path) writeFileSync(path, JSON.stringify(summarize(testModules, unhandledErrors)));
  }
}

/** A file that could not be loaded counts as a failed test. So does an error outside any test. */
export function summarize(testModules, unhandledErrors) {
  const summary = { passed: 0, failed: unhandledErrors.length, skipped: [] };
  for (const testModule of testModules) {
    if (testModule.errors().length > 0) summary.failed += 1;
    for (const test of testModule.children.allTests()) count(test, summary);
  }
  return summary;
}

function count(test, summary) {
  const { state, note } = test.result();
  if (state === 'passed') summary.passed += 1;
  else if (state === 'failed') summary.failed += 1;
  else {
    const reason = note ?? reasonInName.exec(test.fullName)?.[1] ?? null;
    summary.skipped.push({ name: test.fullName.replace(reasonInName, ''), reason });
  }
}
