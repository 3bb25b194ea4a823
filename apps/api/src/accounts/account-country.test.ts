import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUp } from '../../test/person.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
beforeAll(async () => {
  t = await startTestApi({ KURIR_TRUST_PROXY: 1 });
});
afterAll(() => t.close());

test('the country of an account decides what a local number means', async () => {
  const { browser } = await signUp(t.url);
  const first = (await browser.call('readAccountCountry')).body.data;
  expect(first).toMatchObject({ country: 'ID', countries: expect.arrayContaining(['ID', 'MY', 'SG']) });
  const phone = async () => {
    const saved = await browser.call('saveContact', { body: { phone: '012-345 6789' } });
    return (saved.body.data['contact'] as { phone: string }).phone;
  };
  const before = await phone();
  expect((await browser.call('setAccountCountry', { body: { country: 'MY' } })).body.data).toEqual({ country: 'MY' });
  expect((await browser.call('readAccountCountry')).body.data).toMatchObject({ country: 'MY' });
  expect([before, await phone()]).toEqual(['62123456789', '60123456789']);
});

test.each(['XX', 'id', 'Indonesia'])('%s is no country with phone numbers', async (country) => {
  const { browser } = await signUp(t.url);
  const { status, body } = await browser.call('setAccountCountry', { body: { country } });
  expect([status, body.error]).toEqual([422, expect.stringMatching(/country/)]);
  expect((await browser.call('readAccountCountry')).body.data).toMatchObject({ country: 'ID' });
});
