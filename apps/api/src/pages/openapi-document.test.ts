import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
beforeAll(async () => {
  t = await startTestApi();
});
afterAll(() => t.close());

test('the document comes compressed to those who understand it, and is the same for all', async () => {
  const texts = new Set<string>();
  for (const [accepted, encoding] of [
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ] as const) {
    const answer = await fetch(`${t.url}/openapi.json`, { headers: { 'accept-encoding': accepted } });
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.headers.get('vary')).toBe('Accept-Encoding');
    if (encoding !== null) expect(Number(answer.headers.get('content-length'))).toBeLessThan(150_000);
    texts.add(await answer.text());
  }
  expect(texts.size).toBe(1);
  expect(JSON.parse([...texts][0] ?? '')).toMatchObject({ openapi: '3.1.0', servers: [{ url: t.url }] });
});
