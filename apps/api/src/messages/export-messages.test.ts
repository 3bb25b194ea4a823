import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvField } from '@kurir/contracts';

test.each([
  ['plain', 'plain'],
  [null, ''],
  ['=1+1', "'=1+1"],
  ['-1', "'-1"],
  ['a=b', 'a=b'],
  ['order-7781', 'order-7781'],
  ['say "hi"', '"say ""hi"""'],
  ["x;=cmd|' /C calc'!A0", "\"x;'=cmd|' /C calc'!A0\""],
  ['x\t@SUM(A1)', '"x\t\'@SUM(A1)"'],
  ['x\n+1', '"x\n\'+1"'],
  ['x;"=1+1', '"x;\'""\'=1+1"'],
  ['x";=1', '"x"";\'=1"'],
  ['＝1', "'＝1"],
])('%j is written as %s', (value, expected) => expect(csvField(value)).toBe(expected));

/**
 * Reads a file as a spreadsheet does. A quote opens a cell only at its start. After the closing quote, the rest of the
 * cell is taken as it is.
 */
function cellsOf(file: string, separator: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let state: 'start' | 'quoted' | 'plain' = 'start';
  for (let at = 0; at < file.length; at++) {
    const character = file.charAt(at);
    if (state === 'quoted') {
      if (character !== '"') cell += character;
      else if (file.charAt(at + 1) === '"') cell += file.charAt(++at);
      else state = 'plain';
    } else if (character === separator || character === '\n' || character === '\r') {
      cells.push(cell);
      cell = '';
      state = 'start';
    } else if (state === 'start' && character === '"') state = 'quoted';
    else {
      cell += character;
      state = 'plain';
    }
  }
  return [...cells, cell];
}

const lineOf = (clientRef: string) =>
  ['msg_1', 'sent', null, 'dev_1', '6281234567890', 'normal', clientRef, '2026-11-25T00:00:00.000Z', null, null, '3EB0']
    .map(csvField)
    .join(',');

/** Texts of the characters that matter, so that odd neighbours are common. */
const hostile = fc.array(fc.constantFrom(...'=+-@;,\t\r\n"\' x1＝'), { maxLength: 12 }).map((some) => some.join(''));

test.each([',', ';', '\t'])('no text begins a formula in a spreadsheet that separates cells by %j', (separator) => {
  fc.assert(
    fc.property(fc.array(hostile, { minLength: 1, maxLength: 4 }), (texts) => {
      for (const cell of cellsOf(texts.map(lineOf).join('\r\n'), separator)) expect(cell).not.toMatch(/^[=+\-@\t\r＝]/);
    }),
    { numRuns: 5_000 },
  );
});

test('a spreadsheet that separates cells by commas shows the text, with apostrophes before formulas only', () => {
  expect(cellsOf(lineOf('a;b "c", d'), ',')).toContain('a;b "c", d');
  expect(cellsOf(lineOf('=1'), ',')).toContain("'=1");
});
