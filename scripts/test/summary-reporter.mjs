// Writes the results of the tests to a file. `npm test` prints them at the end.
import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/** So much of a failed test is printed again at the end. */
const mostLines = 8;
const mostLetters = 400;
const reasonInName = /\s*\(skipped: (.+?)\)/;

export default class SummaryReporter {
  onTestRunEnd(testModules, unhandledErrors) {
    const path = process.env.KURIR_TEST_SUMMARY;
    if (path) writeFileSync(path, JSON.stringify(summarize(testModules, unhandledErrors)));
  }
}

/** A file or a block that could not begin counts as a failed test. So does an error outside any test. */
export function summarize(testModules, unhandledErrors) {
  const summary = { passed: 0, failed: [], skipped: [] };
  for (const error of unhandledErrors) fail(summary, 'outside any test', [error]);
  for (const testModule of testModules) {
    const errors = testModule.errors();
    if (errors.length > 0) fail(summary, testModule.relativeModuleId, errors);
    for (const suite of testModule.children.allSuites())
      if (suite.errors().length > 0)
        fail(summary, `${testModule.relativeModuleId} > ${suite.fullName}`, suite.errors());
    for (const test of testModule.children.allTests()) count(test, summary);
  }
  return summary;
}

/** Keeps the first lines of the first error and what differs, because a long log may be cut before its end. */
function fail(summary, name, errors) {
  const [error] = errors;
  const message = String(error?.message ?? 'no error given').split('\n');
  const differing = stripVTControlCharacters(error?.diff ?? '')
    .split('\n')
    .filter((line) => /^[-+] /.test(line));
  const lines = [...message.slice(0, mostLines), ...differing.slice(0, mostLines)];
  summary.failed.push({ name, lines: lines.map((line) => line.slice(0, mostLetters)) });
}

function count(test, summary) {
  const { state, note, errors } = test.result();
  if (state === 'passed') summary.passed += 1;
  else if (state === 'failed') fail(summary, `${test.module.relativeModuleId} > ${test.fullName}`, errors ?? []);
  else {
    const reason = note ?? reasonInName.exec(test.fullName)?.[1] ?? null;
    summary.skipped.push({ name: test.fullName.replace(reasonInName, ''), reason });
  }
}
