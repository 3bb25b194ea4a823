import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CreateDeviceInput, Device } from '../call-types.js';
import type { Begin, Cli } from './cli.js';
import { fieldLines, harmless, tableLines } from './layout.js';
import { type LinkFlags, linkDevice } from './link-device.js';
import { fromNow } from './moments.js';
import { parseDuration, parseNumber } from './parse-time.js';

type CreateFlags = Pick<CreateDeviceInput, 'network' | 'pacePerMinute'>;

function parsePace(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('Give a number from 1 to 600.');
  return Number(text);
}

export function addDeviceCommands(program: Command, begin: Begin): void {
  const device = program.command('device').description('Look at, create, link or disconnect devices.');
  addLookCommands(device, begin);
  addChangeCommands(device, begin);
  addLinkCommands(device, begin);
}

function addLookCommands(device: Command, begin: Begin): void {
  device
    .command('info', { isDefault: true })
    .description('Show the state of the device.')
    .action(async (_flags: object, own: Command) => {
      const cli = begin(own);
      const info = await cli.client.deviceInfo();
      const created = fromNow(info.createdAt, cli.clock.now());
      const fields = [
        ['device', info.deviceId],
        ['state', info.state],
        ['created', created],
      ] as const;
      cli.print(info, () => fieldLines(fields, cli.paint.dim));
    });
  device
    .command('list')
    .description('List the devices of the account, oldest first.')
    .action(async (_flags: object, own: Command) => {
      const cli = begin(own);
      const listed = await cli.client.listDevices();
      cli.print(listed, () => deviceTable(listed.devices, cli));
    });
}

function addChangeCommands(device: Command, begin: Begin): void {
  device
    .command('create')
    .argument('<name>', 'what it is called')
    .description('Create a device; link it afterwards.')
    .addOption(
      new Option('--network <network>', 'which network').choices(['whatsapp', 'simulator']).default('whatsapp'),
    )
    .option('--pace-per-minute <count>', 'messages per minute at most', parsePace)
    .action(async (name: string, flags: CreateFlags, own: Command) => {
      const cli = begin(own);
      const made = await cli.client.createDevice({ name, ...flags });
      const next = cli.paint.dim(`Link it: kurir device link --device ${harmless(made.deviceId)}`);
      cli.print(made, () => [`${cli.paint.green('created')}  ${harmless(made.deviceId)}`, next]);
    });
  device
    .command('disconnect')
    .description(
      'Unlink the device from its messaging account. Messages still queued fail; linking it again takes a phone.',
    )
    .action(async (_flags: object, own: Command) => {
      const cli = begin(own);
      const gone = await cli.client.disconnectDevice();
      cli.print(gone, () => [`${cli.paint.green('disconnected')}  ${gone.deviceId}`]);
    });
}

function addLinkCommands(device: Command, begin: Begin): void {
  device
    .command('link')
    .description('Link the device: shows the code to scan or type, and waits until it is connected.')
    .option('--phone <number>', 'by a code that is typed into this phone, instead of a QR', parseNumber)
    .addOption(
      new Option('--timeout <duration>', 'how long to wait at most').default(180, '3m').argParser(parseDuration),
    )
    .action(async (flags: LinkFlags, own: Command) => linkDevice(begin(own), flags));
  device
    .command('cancel-link')
    .description('Stop linking the device.')
    .action(async (_flags: object, own: Command) => {
      const cli = begin(own);
      const cancelled = await cli.client.cancelLink();
      cli.print(cancelled, () => [`${cli.paint.green('cancelled')}  ${cancelled.deviceId}`]);
    });
}

function deviceTable(devices: readonly Device[], { paint, clock }: Cli): string[] {
  if (devices.length === 0) return ['No devices.'];
  const rows = devices.map((device) => [
    device.deviceId,
    device.state,
    device.network,
    device.phoneNumber ?? '-',
    fromNow(device.createdAt, clock.now()),
    device.name,
    device.stateReason ?? '',
  ]);
  return tableLines(rows, (cell, column) => (column === 6 ? paint.dim(cell) : cell));
}
