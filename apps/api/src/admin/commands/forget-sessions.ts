/**
 * Runs `device forget-sessions`, which people need after they restored a backup. The command stores the request, and
 * the workers carry it out at once or when they start.
 */
import { type Database, type DeviceChoice, requestForgetSessions } from '@kurir/database';
import type { Command } from 'commander';
import { CommandError } from '../terminal/command-error.js';
import { findAccount, findDevice } from '../terminal/find-named.js';
import type { Admin, OutputOptions, Run } from '../terminal/run-command.js';
import type { Output } from '../terminal/show-rows.js';

type Options = OutputOptions & { readonly account?: string; readonly network?: string };

async function choiceOf(
  database: Database,
  device: string | undefined,
  { account, network }: Options,
): Promise<DeviceChoice> {
  if (device !== undefined) return { deviceId: (await findDevice(database, device)).deviceId };
  if (account !== undefined) return { accountId: await findAccount(database, account) };
  return { network: network ?? '' };
}

async function forgetSessions({ database }: Admin, device: string | undefined, options: Options): Promise<Output> {
  const chosen = await requestForgetSessions(database, await choiceOf(database, device, options), {
    actor: 'admin',
    action: 'device.forget_sessions_requested',
  });
  if (chosen.length === 0 && device !== undefined)
    throw new CommandError(`The device ${device} is not linked, so there is nothing to forget.`);
  return chosen.map(({ deviceId, accountId, name, network }) => ({
    device_id: deviceId,
    account_id: accountId,
    name,
    network,
  }));
}

export function addForgetSessionsCommand(device: Command, run: Run): void {
  device
    .command('forget-sessions')
    .description('for use after a restored backup: devices make new keys with all contacts and stay linked')
    .argument('[device]', 'id')
    .option('--account <account>', "all devices of an account, by the account's id or name")
    .option('--network <network>', 'all devices of a network, for example whatsapp')
    .option('--json', 'print JSON')
    .action((id: string | undefined, options: Options, own: Command) => {
      const given = [id, options.account, options.network].filter((each) => each !== undefined);
      if (given.length !== 1) own.error('error: give one of a device, --account and --network');
      return run(options, (admin) => forgetSessions(admin, id, options));
    });
}
