/** Creates and links a WhatsApp device through the api alone, as a customer's program does. */
import type { CreateDeviceInput, Device } from '@kurir/client';
import { waitUntil } from '@kurir/testing';
import { newPhoneNumber } from '../phones/phone.js';
import type { RelayProgram } from '../phones/whatsapp-relay.js';
import type { Customer } from './customer.js';

/** The deadline for linking and for other slow work of the network. */
export const patienceMs = 180_000;

/** Settings for fast tests. Without them a device is polite. */
export const hasty = { pacePerMinute: 600, paceJitterMs: 0, newContactsPerDay: null } as const;

export async function lookAt({ client, deviceId }: Customer): Promise<Device> {
  const { devices } = await client.listDevices();
  const device = devices.find((one) => one.deviceId === deviceId);
  if (device === undefined) throw new Error(`the account has no device ${deviceId}`);
  return device;
}

/** Waits for a code that differs from `before`, and returns it. */
export function shownCode(customer: Customer, before: string | null = null): Promise<string> {
  return waitUntil(
    async () => {
      const code = (await lookAt(customer)).pairing?.code;
      return code === before ? undefined : code;
    },
    { what: 'a code is shown', timeoutMs: patienceMs },
  );
}

export function untilState(customer: Customer, state: Device['state'], reason?: string): Promise<Device> {
  return waitUntil(
    async () => {
      const device = await lookAt(customer);
      return device.state === state && (reason === undefined || device.stateReason === reason) ? device : undefined;
    },
    { what: `the device is ${state}${reason === undefined ? '' : ` because of ${reason}`}`, timeoutMs: patienceMs },
  );
}

/** Returns the account with a new device that is not linked. */
export async function createDevice(account: Customer, settings: Partial<CreateDeviceInput> = {}): Promise<Customer> {
  const { deviceId } = await account.client.createDevice({ name: 'Shop', ...hasty, ...settings });
  return account.withDevice(deviceId);
}

export type Linked = { readonly customer: Customer; readonly number: string };

/** Links the device by its QR code and waits until it is connected. Returns it with the number of its phone. */
export async function linkByQr(relay: RelayProgram, customer: Customer): Promise<Linked> {
  const number = newPhoneNumber();
  await customer.client.linkDevice();
  await relay.scan(number, await shownCode(customer));
  await untilState(customer, 'connected');
  return { customer, number };
}
