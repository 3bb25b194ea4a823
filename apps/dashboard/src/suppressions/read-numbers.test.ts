import { expect, test } from 'vitest';
import { readNumbers } from './read-numbers.js';

test('numbers are read as people write them, each once', () => {
  const text = '+62 812-0000-0001\r\n081200000002\n\n"6281200000003",Budi\n6281200000001;lagi\n\'6281200000004';
  expect(readNumbers(text, 'ID')).toEqual({
    phones: ['6281200000001', '6281200000002', '6281200000003', '6281200000004'],
    refusedLines: [],
  });
});

test('a header is skipped, and lines without a possible number are named', () => {
  const text = '\ufeffphone,name\nBudi 0812 0000 0001\n123\n=1+1\n6.28E+12\n6281200000001\n999';
  expect(readNumbers(text, 'ID')).toEqual({ phones: ['6281200000001'], refusedLines: [2, 3, 4, 5, 7] });
});

test('an empty text has neither', () => expect(readNumbers('\n \n', 'ID')).toEqual({ phones: [], refusedLines: [] }));
