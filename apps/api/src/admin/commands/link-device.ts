/**
 * Links a device: requests it, and waits for the worker's codes. A simulated phone uses each code. On a real network a
 * person does that. If the device is linked already, the command only waits until it is connected.
 */
import { adviceOf, isSandbox } from '@kurir/contracts';
import { type DeviceView, readDevice, requestLink } from '@kurir/database';
import { CommandError } from '../terminal/command-error.js';
import type { OwnDevice } from '../terminal/find-named.js';
import { needSimulator } from '../terminal/need-simulator.js';
import type { Admin } from '../terminal/run-command.js';
import { waitForDevice } from '../terminal/wait-for-device.js';

export type Pairing = { readonly method: 'qr' | 'pairing_code'; readonly phone: string };

const simulatorTimeoutMs = 60_000;
/** A person needs time to find the phone. This is longer than a code is valid. */
const personTimeoutMs = 240_000;

/** Returns false if the code is no longer valid. The worker then shows a newer one shortly. */
async function useCode(admin: Admin, { method, phone }: Pairing, code: string): Promise<boolean> {
  const simulatorUrl = needSimulator(admin);
  const url = `${simulatorUrl}/phones/${phone}/${method === 'qr' ? 'scan' : 'pair'}`;
  let answer: Response;
  try {
    answer = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ code }),
      signal: AbortSignal.timeout(10_000),
    });
  } catch (cause) {
    throw new CommandError(`The simulator does not answer at ${simulatorUrl}. Set KURIR_SIMULATOR_URL.`, {
      cause,
    });
  }
  if (answer.ok) return true;
  if (answer.status === 404) return false;
  throw new CommandError(`The simulated phone ${phone} refused: ${await answer.text()}`);
}

/** Returns a check that shows or uses each new code, until the device is linked. */
function useEachCode(admin: Admin, pairing: Pairing): (device: DeviceView) => Promise<true | null> {
  let usedCode: string | null = null;
  return async (device) => {
    if (device.linked) return true;
    if (device.state === 'disconnected' && device.stateReason !== null) throw notLinked(device);
    const code = device.pairingCode;
    if (code === null || code === usedCode) return null;
    usedCode = code;
    if (!isSandbox(device.network)) admin.say(`${pairing.method === 'qr' ? 'QR to scan' : 'Code to type'}: ${code}`);
    else if (!(await useCode(admin, pairing, code))) usedCode = null;
    return null;
  };
}

/** The reason is new, because `requestLink` cleared the older one. */
function notLinked({ id, stateReason, stateDetail }: DeviceView): CommandError {
  const advice = adviceOf(stateReason, stateDetail);
  return new CommandError(
    `The device ${id} was not linked: ${stateDetail ?? stateReason}.${advice === null ? '' : ` ${advice}`}`,
  );
}

async function askForLink(admin: Admin, device: OwnDevice, pairing: Pairing): Promise<void> {
  const { accountId, deviceId } = device;
  const phoneNumber = pairing.method === 'pairing_code' ? pairing.phone : null;
  if (
    !(await requestLink(
      admin.database,
      accountId,
      deviceId,
      { method: pairing.method, phoneNumber },
      { accountId, actor: 'admin', action: 'device.link_requested' },
    ))
  )
    throw new CommandError(`The device ${deviceId} was linked by somebody else just now.`);
}

/** Resolves when the device is connected. */
export async function linkDevice(admin: Admin, device: OwnDevice, pairing: Pairing): Promise<void> {
  const before = await readDevice(admin.database, device.accountId, device.deviceId);
  const timeoutMs = before !== null && isSandbox(before.network) ? simulatorTimeoutMs : personTimeoutMs;
  if (before?.linked !== true) {
    await askForLink(admin, device, pairing);
    await waitForDevice(admin, device, { what: 'The device was not linked', timeoutMs }, useEachCode(admin, pairing));
  }
  const connected = (view: DeviceView) => (view.state === 'connected' ? true : null);
  await waitForDevice(admin, device, { what: 'The device did not connect', timeoutMs }, connected);
}
