import {
  createDevice,
  deleteDevice,
  type DeviceDeletion,
  failMessagesOfUnlinked,
  listDeviceDetails,
  readDevice,
  requestUnlink,
} from '@kurir/database';
import { defaultNetwork, defaultSandbox, isSandbox, type Network, networkNames } from '@kurir/contracts';
import { type Command, Option } from 'commander';
import { CommandError } from '../terminal/command-error.js';
import { findAccount, findDevice } from '../terminal/find-named.js';
import { addForgetSessionsCommand } from './forget-sessions.js';
import { linkDevice, type Pairing } from './link-device.js';
import { needSimulator } from '../terminal/need-simulator.js';
import { parseName, parsePhone } from '../terminal/parse-options.js';
import { addPolitenessOptions, type PolitenessOptions, politenessOf } from './politeness-options.js';
import { type Admin, type OutputOptions, type Run } from '../terminal/run-command.js';
import type { Output } from '../terminal/show-rows.js';
import { waitForDevice } from '../terminal/wait-for-device.js';

const unlinkTimeoutMs = 60_000;

type CreateOptions = OutputOptions & PolitenessOptions & { readonly network: Network };

async function create(admin: Admin, account: string, name: string, options: CreateOptions): Promise<Output> {
  const { network } = options;
  if (isSandbox(network)) needSimulator(admin, `or choose --network ${defaultNetwork}`);
  const { database } = admin;
  const accountId = await findAccount(database, account);
  const deviceId = await createDevice(
    database,
    { accountId, name, network, ...politenessOf(options) },
    { accountId, actor: 'admin', action: 'device.created' },
  );
  return { account_id: accountId, device_id: deviceId, name, network };
}

async function list({ database, sealer }: Admin, account: string): Promise<Output> {
  const devices = await listDeviceDetails(database, sealer, await findAccount(database, account));
  return devices.map((device) => ({
    device_id: device.id,
    name: device.name,
    network: device.network,
    state: device.state,
    state_reason: device.stateReason,
    linked: device.linked,
    phone_number: device.phoneNumber,
    pace_per_minute: device.politeness.pacePerMinute,
    new_contacts_today: device.newContacts.usedToday,
    new_contacts_allowance: device.newContacts.allowance,
    new_contacts_wait: device.newContacts.waiting?.reason ?? null,
    new_contacts_wait_until: device.newContacts.waiting?.until?.toISOString() ?? null,
    created_at: device.createdAt.toISOString(),
  }));
}

type LinkOptions = OutputOptions & Pairing;

async function link(admin: Admin, id: string, { method, phone }: LinkOptions): Promise<Output> {
  const device = await findDevice(admin.database, id);
  if ((await readDevice(admin.database, device.accountId, device.deviceId))?.linked === true)
    throw new CommandError(`The device ${id} is linked already. To link it anew: device unlink ${id}`);
  await linkDevice(admin, device, { method, phone });
  return { device_id: device.deviceId, state: 'connected' };
}

async function unlink(admin: Admin, id: string): Promise<Output> {
  const device = await findDevice(admin.database, id);
  const { accountId, deviceId } = device;
  if (
    !(await requestUnlink(admin.database, accountId, deviceId, {
      accountId,
      actor: 'admin',
      action: 'device.unlink_requested',
    }))
  )
    throw new CommandError(`The device ${id} is not linked.`);
  const waiting = { what: 'The device was not unlinked', timeoutMs: unlinkTimeoutMs };
  await waitForDevice(admin, device, waiting, (view) => (view.linked ? null : true));
  return { device_id: deviceId, state: 'disconnected' };
}

const refusals: Readonly<Record<Exclude<DeviceDeletion, 'deleted'>, (id: string) => string>> = {
  'not-found': (id) => `There is no device ${id}. See: device list`,
  linked: (id) => `The device ${id} is linked. Unlink it first: device unlink ${id}`,
  pairing: (id) => `The device ${id} is being linked. Stop that first, in the dashboard.`,
  held: (id) => `A worker still holds the device ${id}. Run the command again in a few seconds.`,
  'has-broadcast': (id) =>
    `Messages of a paused broadcast wait on the device ${id}. Cancel the broadcast, or resume it with another device.`,
  'has-messages': (id) => `Messages of the device ${id} have not ended yet. Run the command again in a few seconds.`,
};

async function remove({ database }: Admin, id: string): Promise<Output> {
  const { accountId, deviceId } = await findDevice(database, id);
  while ((await failMessagesOfUnlinked(database, deviceId)) > 0);
  const audit = { accountId, actor: 'admin', action: 'device.deleted' } as const;
  const deletion = await deleteDevice(database, accountId, deviceId, audit);
  if (deletion !== 'deleted') throw new CommandError(refusals[deletion](id));
  return { device_id: deviceId, state: 'deleted' };
}

export function addDeviceCommands(program: Command, run: Run): void {
  const device = program.command('device').description('linked messaging accounts');

  const creation = device
    .command('create')
    .description('create a device; link it afterwards')
    .argument('<account>', 'id or name')
    .argument('<name>', 'the name', parseName)
    .addOption(
      new Option('--network <network>', 'the network of the device').choices(networkNames).default(defaultSandbox),
    );
  addPolitenessOptions(creation)
    .option('--json', 'print JSON')
    .action((account: string, name: string, options: CreateOptions) =>
      run(options, (admin) => create(admin, account, name, options)),
    );

  device
    .command('list')
    .description("list an account's devices")
    .argument('<account>', 'id or name')
    .option('--json', 'print JSON')
    .action((account: string, options: OutputOptions) => run(options, (admin) => list(admin, account)));

  device
    .command('link')
    .description('link a device and wait until it is connected; a simulated phone scans the code by itself')
    .argument('<device>', 'id')
    .requiredOption('--phone <number>', 'the phone that scans or types the code', parsePhone)
    .addOption(new Option('--method <method>', 'how to link').choices(['qr', 'pairing_code']).default('qr'))
    .option('--json', 'print JSON')
    .action((id: string, options: LinkOptions) => run(options, (admin) => link(admin, id, options)));

  device
    .command('unlink')
    .description('unlink a device and wait until the network confirms it')
    .argument('<device>', 'id')
    .option('--json', 'print JSON')
    .action((id: string, options: OutputOptions) => run(options, (admin) => unlink(admin, id)));

  device
    .command('delete')
    .description('delete a device that is not linked, with its contacts and settings')
    .argument('<device>', 'id')
    .option('--json', 'print JSON')
    .action((id: string, options: OutputOptions) => run(options, (admin) => remove(admin, id)));

  addForgetSessionsCommand(device, run);
}
