import { limits } from '@kurir/contracts/dashboard';

/** Reads a typed pace. Null: the devices alone decide. Undefined: it is no possible pace. */
export function readPace(text: string): number | null | undefined {
  if (text.trim() === '') return null;
  const pace = Number(text);
  return Number.isInteger(pace) && pace >= 1 && pace <= limits.broadcastMaxPacePerMinute ? pace : undefined;
}
