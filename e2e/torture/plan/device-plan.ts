/**
 * The devices under attack. The last ones of each account are polite, as every real device is. They have a pace with a
 * jitter, type before their texts, and write to a limited number of new contacts a day.
 */
import type { Politeness } from '@kurir/contracts';

export type DevicePlan = {
  readonly accounts: number;
  readonly devicesEach: number;
  /** How many devices of an account are polite. */
  readonly politeEach: number;
};

const pace = { pacePerMinute: 300, paceJitterMs: 30, typingMs: 30 };
/**
 * Each limit is higher than the one before. So a short attack reaches some limits, and a long one reaches more and
 * more.
 */
const leastNewContacts = 3;
const timesTheLimitBefore = 1.5;

const regulars = 6;
const strangers = 400;
const writers = 8;

const digits = (value: number, length: number) => String(value).padStart(length, '0');

const firstPolite = ({ devicesEach, politeEach }: DevicePlan) => devicesEach - politeEach;

/** `device` is the index among the devices of its account. */
export const isPolite = (devicePlan: DevicePlan, device: number) => device >= firstPolite(devicePlan);

/** Returns undefined for a device without limits, which is the default of the simulated network. */
export function politenessOf(devicePlan: DevicePlan, account: number, device: number): Politeness | undefined {
  if (!isPolite(devicePlan, device)) return undefined;
  const index = account * devicePlan.politeEach + device - firstPolite(devicePlan);
  return { ...pace, newContactsPerDay: Math.round(leastNewContacts * timesTheLimitBefore ** index) };
}

/** The people to whom a device writes most of the time. `device` is the index among all devices. */
export const regularsOf = (device: number) =>
  Array.from({ length: regulars }, (_, i) => `62813${digits(device, 4)}${digits(i + 1, 2)}1`);

/** More people than any limit allows. */
export const strangersOf = (device: number) =>
  Array.from({ length: strangers }, (_, i) => `62814${digits(device, 4)}${digits(i + 1, 3)}1`);

/** The people who write to a device, and to whom it never writes. */
export const writersOf = (device: number) =>
  Array.from({ length: writers }, (_, i) => `62815${digits(device, 4)}${digits(i + 1, 2)}1`);

/** The number of the device's own phone. */
export const numberOfDevice = (device: number) => `62812${digits(device, 7)}1`;

/** The simulated network knows every number except those that end in 0000. */
export const unknownNumberOf = (device: number) => `62813${digits(device, 4)}0000`;
