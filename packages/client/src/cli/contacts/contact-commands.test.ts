import { afterEach, beforeEach, expect, it } from 'vitest';
import { exampleContact } from '../../../test/contact-examples.js';
import { type Gateway, refusal, startGateway } from '../../../test/gateway-fixture.js';
import { environmentFor, runHere } from '../../../test/kurir-fixture.js';

let gateway: Gateway;
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(() => gateway.close());

const kurir = (...args: string[]) => runHere(['contacts', ...args], environmentFor(gateway.baseUrl));

it('lists contacts by a filter', async () => {
  const { code, stdout } = await kurir('list', '--list', 'promo', '--attribute', 'kota_asal:Bandung', '--no-consent');
  expect([code, stdout]).toEqual([0, 'con_1  6281234567890  Budi  promo\n']);
  const search = new URL(gateway.received[0]?.target ?? '', 'http://x').searchParams;
  expect(Object.fromEntries(search)).toEqual({
    list: 'promo',
    attribute: 'kota_asal:Bandung',
    has_consent: 'false',
  });
});

it('shows a contact by its number, with the attributes as the customer named them', async () => {
  const { stdout } = await kurir('show', '0812-3456-7890');
  expect(stdout).toMatch(/kota_asal {2}Bandung/);
  expect(gateway.received[0]?.target).toBe('/api/v1/contacts?phone=0812-3456-7890&limit=1');
  const json = JSON.parse((await kurir('show', 'con_1', '--json')).stdout);
  expect(json).toEqual(exampleContact());
});

it('deletes a contact, and says when there is none', async () => {
  expect((await kurir('delete', '081234567890')).stdout).toBe('deleted  con_1\n');
  gateway.answer({ listContacts: () => ({ contacts: [], next_cursor: null }) });
  expect(await kurir('delete', '081234567890')).toMatchObject({ code: 2, stderr: expect.stringMatching(/no contact/) });
  gateway.fail(refusal('CONTACT_NOT_FOUND'));
  expect((await kurir('delete', 'con_2')).code).toBe(1);
});

it('writes an export to stdout', async () => {
  expect((await kurir('export')).stdout).toBe('phone,name\r\n6281234567890,Budi\r\n');
  await kurir('export', '--ndjson', '--list', 'promo');
  expect(gateway.received[1]?.target).toBe('/api/v1/contacts/export?list=promo&format=ndjson');
  gateway.fail(refusal('INVALID_REQUEST'));
  expect(await kurir('export')).toMatchObject({ code: 1, stdout: '' });
});

it('checks numbers, and says which text is none', async () => {
  const unknown = { asked: '0812', phone: null, on_network: 'no_number', at: null, error: 'It is too short.' } as const;
  gateway.answer({
    checkContacts: () => ({
      checked: [unknown, { asked: '0812-3456-7890', phone: '6281234567890', on_network: 'no', at: null, error: null }],
    }),
  });
  expect((await kurir('check', '0812', '0812-3456-7890')).stdout.split('\n')).toEqual([
    '0812           no_number  It is too short.',
    '6281234567890  no',
    '',
  ]);
  expect(JSON.parse(gateway.received[0]?.body ?? '')).toEqual({ phones: ['0812', '0812-3456-7890'] });
});

it('lists the lists', async () => {
  expect((await kurir('lists')).stdout).toBe('promo  1\n');
});
