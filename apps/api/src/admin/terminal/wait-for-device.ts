import { setTimeout as sleep } from 'node:timers/promises';
import { type DeviceView, readDevice } from '@kurir/database';
import { CommandError } from './command-error.js';
import type { OwnDevice } from './find-named.js';
import type { Admin } from './run-command.js';

const pauseMs = 100;

/** Reads the device until `check` returns a value. After `timeoutMs` it throws an error that begins with `what`. */
export async function waitForDevice<T>(
  { database }: Admin,
  { accountId, deviceId }: OwnDevice,
  options: { readonly what: string; readonly timeoutMs: number },
  check: (device: DeviceView) => Promise<T | null> | T | null,
): Promise<T> {
  const deadline = performance.now() + options.timeoutMs;
  for (;;) {
    const device = await readDevice(database, accountId, deviceId);
    if (device === null) throw new CommandError(`The device ${deviceId} is gone.`);
    const found = await check(device);
    if (found !== null) return found;
    if (performance.now() > deadline) {
      const state = device.stateReason === null ? device.state : `${device.state}: ${device.stateReason}`;
      throw new CommandError(
        `${options.what} within ${options.timeoutMs / 1000} s (it is ${state}). Is the worker running?`,
      );
    }
    await sleep(pauseMs);
  }
}
