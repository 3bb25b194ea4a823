/**
 * `kurir device link`: starts linking, shows every new code, and follows the device until it is connected or no longer
 * being linked. A second run starts again with a new code.
 */
import type { Device } from '../../contract/call-types.js';
import { KurirUsageError } from '../../calls/errors.js';
import { toSnakeCase } from '../../contract/wire-case.js';
import type { Cli } from '../terminal/cli.js';
import { exitCodes } from '../terminal/exit-codes.js';
import { reasonText } from './device-lines.js';
import { harmless } from '../terminal/layout.js';
import { qrLines } from './qr-lines.js';

export type LinkFlags = { phone?: string; timeout: number };

const lookEveryMs = 1_000;
const ends: readonly Device['state'][] = ['connected', 'disconnected', 'banned'];

async function lookUp({ client }: Cli, deviceId: string): Promise<Device> {
  const { devices } = await client.listDevices();
  const device = devices.find((one) => one.deviceId === deviceId);
  if (device === undefined) throw new KurirUsageError(`The account has no device ${deviceId}.`);
  return device;
}

/** A terminal shows the QR code and its text. Another program may draw the text. */
function progressOf({ paint, surroundings }: Cli, device: Device, flags: LinkFlags): string {
  if (device.pairing === null) return `  ${device.state}`;
  const code = harmless(device.pairing.code);
  if (flags.phone !== undefined) return `  Type this code into the phone ${flags.phone}: ${code}`;
  if (surroundings.stderr.isTTY !== true) return `  Scan this text as a QR: ${code}`;
  return [...qrLines(device.pairing.code, paint), `  Scan it with the phone. As text: ${code}`].join('\n');
}

/** With --json it prints one line for each change. */
function showChange(cli: Cli, device: Device, flags: LinkFlags): void {
  if (cli.json) cli.surroundings.stdout.write(`${JSON.stringify(toSnakeCase(device))}\n`);
  else if (!ends.includes(device.state)) cli.say(progressOf(cli, device, flags));
}

function finish(cli: Cli, device: Device, { timeout }: LinkFlags): void {
  const { state, deviceId, phoneNumber, stateReason, stateDetail, stateAdvice } = device;
  const isConnected = state === 'connected';
  const more = isConnected ? phoneNumber : reasonText(stateReason, stateDetail);
  const shown = [
    isConnected ? cli.paint.green(state) : cli.paint.red(state),
    deviceId,
    ...(more === null ? [] : [more]),
  ];
  if (!cli.json) cli.surroundings.stdout.write(`${shown.join('  ')}\n`);
  if (isConnected) return;
  if (stateAdvice !== null) cli.say(harmless(stateAdvice));
  if (!ends.includes(state))
    cli.say(`Not connected within ${timeout} s, and still at it. kurir device cancel-link ends it.`);
  cli.exitWith(exitCodes.notReached);
}

export async function linkDevice(cli: Cli, flags: LinkFlags): Promise<void> {
  const { phone } = flags;
  const { deviceId } = await cli.client.linkDevice(
    phone === undefined ? {} : { method: 'pairing_code', phoneNumber: phone },
  );
  const deadline = cli.clock.now() + flags.timeout * 1000;
  for (let shown = ''; ; await cli.clock.sleep(lookEveryMs)) {
    const device = await lookUp(cli, deviceId);
    const change = JSON.stringify([device.state, device.stateReason, device.pairing?.code]);
    if (change !== shown) showChange(cli, device, flags);
    shown = change;
    if (ends.includes(device.state) || cli.clock.now() >= deadline) return finish(cli, device, flags);
  }
}
