import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUp } from '../../test/person.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
beforeAll(async () => {
  t = await startTestApi({ KURIR_TRUST_PROXY: 1 });
});
afterAll(() => t.close());

test('names of contacts are found by number, in one request and only those of the account', async () => {
  const [{ browser }, { browser: other }] = [await signUp(t.url), await signUp(t.url)];
  await browser.call('saveContact', { body: { phone: '+6281200000111', name: 'Budi' } });
  await browser.call('saveContact', { body: { phone: '+6281200000222' } });
  await other.call('saveContact', { body: { phone: '+6281200000333', name: 'Siti' } });
  const phones = ['6281200000333', '6281200000222', '6281200000111', '6281200000444'];
  const { status, body } = await browser.call('nameContacts', { body: { phones } });
  expect([status, body.data]).toEqual([200, { names: [{ phone: '6281200000111', name: 'Budi' }] }]);
  const refused = await browser.call('nameContacts', { body: { phones: Array.from({ length: 201 }, () => '62812') } });
  expect([refused.status, refused.body.code]).toEqual([422, 'INVALID_REQUEST']);
});
