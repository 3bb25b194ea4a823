import { afterAll, beforeAll, expect, test } from 'vitest';
import { Browser, newEmail, password, signUp } from '../../test/person.js';
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
  expect((await browser.call('setAccountCountry', { body: { country: 'MY' } })).body.data).toEqual({
    country: 'MY',
    time_zone: null,
  });
  expect((await browser.call('readAccountCountry')).body.data).toMatchObject({ country: 'MY' });
  expect([before, await phone()]).toEqual(['62123456789', '60123456789']);
});

test.each(['XX', 'id', 'Indonesia'])('%s is no country with phone numbers', async (country) => {
  const { browser } = await signUp(t.url);
  const { status, body } = await browser.call('setAccountCountry', { body: { country } });
  expect([status, body.error]).toEqual([422, expect.stringMatching(/country/)]);
  expect((await browser.call('readAccountCountry')).body.data).toMatchObject({ country: 'ID' });
});

test('the people of the country live in a zone of it, until the country changes', async () => {
  const { browser } = await signUp(t.url);
  expect((await browser.call('readAccountCountry')).body.data).toMatchObject({
    time_zone: null,
    time_zones: expect.arrayContaining(['Asia/Jakarta', 'Asia/Jayapura']),
  });
  const set = (body: object) => browser.call('setAccountCountry', { body });
  const western = { country: 'ID', time_zone: 'Asia/Jakarta' };
  expect((await set(western)).body.data).toEqual(western);
  expect((await browser.call('readAccountCountry')).body.data).toMatchObject(western);
  const foreign = await set({ country: 'ID', time_zone: 'Europe/London' });
  expect([foreign.status, foreign.body.error]).toEqual([422, 'time_zone: Europe/London is no time zone of ID.']);
  expect((await set({ country: 'GB' })).body.data).toEqual({ country: 'GB', time_zone: null });
});

test('a new account has the country that its owner named at the sign-up', async () => {
  const { browser } = await signUp(t.url, newEmail(), { country: 'GB' });
  expect((await browser.call('readMe')).body.data).toMatchObject({ account: { country: 'GB' } });
  const saved = await browser.call('saveContact', { body: { phone: '07911 123456' } });
  expect(saved.body.data).toMatchObject({ contact: { phone: '447911123456' } });
});

test('nobody signs up for a country without phone numbers', async () => {
  const body = { email: newEmail(), password, name: 'Ayu', callbackURL: '/app' };
  for (const country of ['XX', 'gb', 7, {}]) {
    const refused = await new Browser(t.url).fetch('POST', '/app/api/auth/sign-up/email', { ...body, country });
    expect([refused.status, await refused.json()]).toEqual([400, expect.objectContaining({ code: 'INVALID_REQUEST' })]);
  }
});

test.each([
  ['Asia/Jakarta', 'ID'],
  ['Europe/London', 'GB'],
  ['Asia/Kolkata', 'IN'],
  ['Asia/Calcutta', 'IN'],
  ['UTC', null],
  ['Mars/Base', null],
])('the pages before sign-in suggest the country of the zone %s: %s', async (zone, country) => {
  const setup = await new Browser(t.url).call('readSetup', {
    query: new URLSearchParams({ time_zone: zone }).toString(),
  });
  expect(setup.body.data).toMatchObject({ country, countries: expect.arrayContaining(['GB', 'ID']) });
});
