/** Linking a WhatsApp device ends without a link, and the customer reads why. */
import { adviceOf, linkFailures } from '@kurir/contracts';
import { createAccount, requestLinkCancel } from '@kurir/database';
import { wakeOwner } from '@kurir/queue';
import { waitUntil } from '@kurir/testing';
import { expect, test } from 'vitest';
import type { Customer } from '../../test/account-fixture.js';
import { useWhatsappFixture } from '../../test/whatsapp-fixture.js';

const fixture = useWhatsappFixture();

async function unlinked(): Promise<Customer> {
  return fixture().unlinkedDevice(await createAccount(fixture().database, 'test'), { network: 'whatsapp' });
}

async function advice(customer: Customer): Promise<string | null> {
  const { stateReason, stateDetail } = await fixture().device(customer);
  return adviceOf(stateReason, stateDetail);
}

test('the customer reads that an account needs its passkey, and can link once the network asks for none', async () => {
  const customer = await unlinked();
  const phone = await fixture().phone(customer);
  phone.requirePasskey(true);
  await fixture().askForQr(customer);
  await expect(phone.scan(await fixture().shownCode(customer))).rejects.toThrow('passkey');
  await fixture().untilState(customer, 'disconnected');
  expect(await fixture().device(customer)).toMatchObject({
    linked: false,
    stateReason: 'link_failed',
    stateDetail: 'passkey_required',
    pairingCode: null,
  });
  expect(await advice(customer)).toBe(linkFailures.passkey_required);
  expect(await fixture().credentials(customer)).toBe(0);
  phone.requirePasskey(false);
  await fixture().linkByQr(customer);
});

test('after the network retires a code, the customer sees the next one with its own expiry, and can still cancel', async () => {
  const customer = await unlinked();
  await fixture().askForLink(customer, { method: 'pairing_code', phoneNumber: customer.number });
  const retired = await fixture().shownCode(customer);
  const first = await fixture().device(customer);
  fixture().relay.refreshPairingCode(customer.number);
  await waitUntil(async () => (await fixture().shownCode(customer)) !== retired, { what: 'the next code is shown' });
  const { pairingUntil } = await fixture().device(customer);
  expect(pairingUntil?.getTime()).toBeGreaterThan(first.pairingUntil?.getTime() ?? Infinity);
  await requestLinkCancel(fixture().database, customer.accountId, customer.deviceId);
  await wakeOwner(fixture().queue, customer.deviceId);
  await fixture().untilState(customer, 'disconnected');
  expect(await fixture().device(customer)).toMatchObject({ stateReason: 'link_cancelled', pairingCode: null });
});

test('a QR code that somebody changed makes no link, and the customer reads why', async () => {
  const customer = await unlinked();
  await fixture().askForQr(customer);
  const parts = (await fixture().shownCode(customer)).split(',');
  parts[3] = Buffer.alloc(32, 7).toString('base64');
  await expect((await fixture().phone(customer)).scan(parts.join(','))).rejects.toThrow('refused the identity');
  await fixture().untilState(customer, 'disconnected');
  expect(await fixture().device(customer)).toMatchObject({
    stateReason: 'link_failed',
    stateDetail: 'identity_not_authentic',
  });
  expect(await advice(customer)).toBe(linkFailures.identity_not_authentic);
});
