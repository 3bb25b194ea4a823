/** How linking a WhatsApp device ends without a link, as the customer reads it. */
import { adviceOf, linkFailures } from '@kurir/contracts';
import { createAccount, requestLinkCancel } from '@kurir/database';
import { wakeHolder } from '@kurir/queue';
import { waitUntil } from '@kurir/testing';
import { expect, test } from 'vitest';
import type { Customer } from './testing/customers.js';
import { useWhatsappBench } from './testing/whatsapp-bench.js';

const bench = useWhatsappBench();

async function unlinked(): Promise<Customer> {
  return bench().unlinkedDevice(await createAccount(bench().database, 'test'), { network: 'whatsapp' });
}

async function advice(customer: Customer): Promise<string | null> {
  const { stateReason, stateDetail } = await bench().device(customer);
  return adviceOf(stateReason, stateDetail);
}

test('an account that is linked only with its passkey: the customer reads so, and links once that is asked no more', async () => {
  const customer = await unlinked();
  const phone = await bench().phone(customer);
  phone.requirePasskey(true);
  await bench().askForQr(customer);
  await expect(phone.scan(await bench().shownCode(customer))).rejects.toThrow('passkey');
  await bench().untilState(customer, 'disconnected');
  expect(await bench().device(customer)).toMatchObject({
    linked: false,
    stateReason: 'link_failed',
    stateDetail: 'passkey_required',
    pairingCode: null,
  });
  expect(await advice(customer)).toBe(linkFailures.passkey_required);
  expect(await bench().credentials(customer)).toBe(0);
  phone.requirePasskey(false);
  await bench().linkByQr(customer);
});

test('a code that the network retires: the customer sees the next one, with its own end, and can still cancel', async () => {
  const customer = await unlinked();
  await bench().askForLink(customer, { method: 'pairing_code', phoneNumber: customer.number });
  const retired = await bench().shownCode(customer);
  const first = await bench().device(customer);
  bench().relay.refreshPairingCode(customer.number);
  await waitUntil(async () => (await bench().shownCode(customer)) !== retired, { what: 'the next code is shown' });
  const { pairingUntil } = await bench().device(customer);
  expect(pairingUntil?.getTime()).toBeGreaterThan(first.pairingUntil?.getTime() ?? Infinity);
  await requestLinkCancel(bench().database, customer.accountId, customer.deviceId);
  await wakeHolder(bench().queue, customer.deviceId);
  await bench().untilState(customer, 'disconnected');
  expect(await bench().device(customer)).toMatchObject({ stateReason: 'link_cancelled', pairingCode: null });
});

test('a QR that was changed on its way is no link, and said as that', async () => {
  const customer = await unlinked();
  await bench().askForQr(customer);
  const parts = (await bench().shownCode(customer)).split(',');
  parts[3] = Buffer.alloc(32, 7).toString('base64');
  await expect((await bench().phone(customer)).scan(parts.join(','))).rejects.toThrow('refused the identity');
  await bench().untilState(customer, 'disconnected');
  expect(await bench().device(customer)).toMatchObject({
    stateReason: 'link_failed',
    stateDetail: 'identity_not_authentic',
  });
  expect(await advice(customer)).toBe(linkFailures.identity_not_authentic);
});
