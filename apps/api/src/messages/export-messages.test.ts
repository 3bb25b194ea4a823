import { expect, test } from 'vitest';
import { csvField } from './export-messages.js';

test.each([
  ['plain', 'plain'],
  [null, ''],
  ['=1+1', "'=1+1"],
  ['-1', "'-1"],
  ['a=b', 'a=b'],
  ['say "hi"', '"say ""hi"""'],
  ["x;=cmd|' /C calc'!A0", "\"x;'=cmd|' /C calc'!A0\""],
  ['x\t@SUM(A1)', '"x\t\'@SUM(A1)"'],
  ['x\n+1', '"x\n\'+1"'],
])('%j is written as %s', (value, expected) => expect(csvField(value)).toBe(expected));
