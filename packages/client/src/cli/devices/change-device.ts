/** `kurir device set`. */
import type { Device, UpdateDeviceInput } from '../../contract/call-types.js';
import { KurirUsageError } from '../../calls/errors.js';
import type { Cli } from '../terminal/cli.js';
import { readText } from '../terminal/read-text.js';
import { type SettingFlags, settingsOf } from './setting-options.js';

export type SetFlags = SettingFlags & { name?: string; proxy?: string; proxyStdin?: true };

export async function changeDevice(cli: Cli, { proxyStdin, proxy, name, ...flags }: SetFlags): Promise<Device> {
  const address = proxyStdin ? (await readText(cli.surroundings.stdin)).trim() : proxy;
  if (!proxyStdin && hasPassword(proxy))
    throw new KurirUsageError('Every user of this machine can read arguments: give a password with --proxy-stdin.');
  const input: UpdateDeviceInput = {
    ...(name === undefined ? {} : { name }),
    ...settingsOf(flags),
    ...(address === undefined ? {} : { proxy: address === 'none' ? null : address }),
  };
  if (Object.keys(input).length === 0) throw new KurirUsageError('Say what to change; see kurir device set --help.');
  return cli.client.updateDevice(input);
}

function hasPassword(address = ''): boolean {
  return URL.canParse(address) && new URL(address).password !== '';
}
