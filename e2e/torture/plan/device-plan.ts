/**
 * The devices under attack. The last ones of each customer are polite, as every real device is: they keep a pace with a
 * jitter, type before their texts, and write to a limited number of new contacts a day.
 */
import type { Politeness } from '@kurir/contracts';

export type DevicePlan = {
  readonly accounts: number;
  readonly devicesEach: number;
  /** How many of a customer's devices are polite. */
  readonly politeEach: number;
};

const pace = { pacePerMinute: 300, paceJitterMs: 30, typingMs: 30 };
/** Each limit is higher than the one before, so that a short attack reaches some of them and a long one goes on reaching them. */
const leastNewContacts = 3;
const timesTheLimitBefore = 1.5;

const regulars = 6;
const strangers = 400;

const digits = (value: number, length: number) => String(value).padStart(length, '0');

const firstPolite = ({ devicesEach, politeEach }: DevicePlan) => devicesEach - politeEach;

/** `device`: its index among the customer's. */
export const isPolite = (devicePlan: DevicePlan, device: number) => device >= firstPolite(devicePlan);

/** Undefined: the device starts as every device of the simulated network does, without limits. */
export function politenessOf(devicePlan: DevicePlan, account: number, device: number): Politeness | undefined {
  if (!isPolite(devicePlan, device)) return undefined;
  const index = account * devicePlan.politeEach + device - firstPolite(devicePlan);
  return { ...pace, newContactsPerDay: Math.round(leastNewContacts * timesTheLimitBefore ** index) };
}

/** Whom a device writes to most of the time. `device`: its index among all. */
export const regularsOf = (device: number) =>
  Array.from({ length: regulars }, (_, i) => `62813${digits(device, 4)}${digits(i + 1, 2)}1`);

/** More people than any limit allows. */
export const strangersOf = (device: number) =>
  Array.from({ length: strangers }, (_, i) => `62814${digits(device, 4)}${digits(i + 1, 3)}1`);

/** The number of a device itself. */
export const numberOfDevice = (device: number) => `62812${digits(device, 7)}1`;

/** The simulated network knows every number but those that end in 0000. */
export const unknownNumberOf = (device: number) => `62813${digits(device, 4)}0000`;
