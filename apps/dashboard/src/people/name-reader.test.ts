import { expect, test } from 'vitest';
import { createNameReader } from './name-reader.js';

const names = new Map([
  ['62811', 'Budi'],
  ['62812', 'Siti'],
]);

function readerOf(most: number) {
  const requests: (readonly string[])[] = [];
  const read = createNameReader(async (phones) => {
    requests.push(phones);
    return names;
  }, most);
  return { requests, read };
}

test('numbers that are asked for in the same moment share a request, each once', async () => {
  const { requests, read } = readerOf(10);
  const asked = ['62811', '62812', '62813', '62811'];
  expect(await Promise.all(asked.map(read))).toEqual(['Budi', 'Siti', null, 'Budi']);
  expect(requests).toEqual([['62811', '62812', '62813']]);
  expect(await read('62812')).toBe('Siti');
  expect(requests).toHaveLength(2);
});

test('a request has no more numbers than the gateway takes', async () => {
  const { requests, read } = readerOf(2);
  await Promise.all(['1', '2', '3'].map(read));
  expect(requests).toEqual([['1', '2'], ['3']]);
});

test('a failure reaches everybody who asked', async () => {
  const read = createNameReader(() => Promise.reject(new Error('away')), 10);
  const outcomes = await Promise.allSettled([read('1'), read('2')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
