import { defaultNetwork, networkNames } from '@kurir/contracts';
import { type Command, Option } from 'commander';
import type { CreateDeviceInput } from '../../contract/call-types.js';
import type { Begin } from '../terminal/cli.js';
import { changeDevice, type SetFlags } from './change-device.js';
import { activityTable, deviceFields, deviceTable } from './device-lines.js';
import { fieldLines, harmless } from '../terminal/layout.js';
import { type LinkFlags, linkDevice } from './link-device.js';
import { fromNow } from '../terminal/moments.js';
import { parseDuration, parseNumber } from '../terminal/parse-time.js';
import { addSettingOptions, type SettingFlags, settingsOf } from './setting-options.js';

type CreateFlags = SettingFlags & Pick<CreateDeviceInput, 'network' | 'clientRef'>;

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
    .option('--activity', 'show what waits on each device and how sending goes')
    .action(async ({ activity }: { activity?: true }, own: Command) => {
      const cli = begin(own);
      const listed = await cli.client.listDevices(activity ? { include: 'activity' } : {});
      cli.print(listed, () => (activity ? activityTable : deviceTable)(listed.devices, cli));
    });
}

function addChangeCommands(device: Command, begin: Begin): void {
  const create = device
    .command('create')
    .argument('<name>', 'what it is called')
    .description('Create a device; link it afterwards.')
    .addOption(new Option('--network <network>', 'which network').choices(networkNames).default(defaultNetwork))
    .option('--client-ref <ref>', 'your own id for it: run again it makes no second device');
  addSettingOptions(create).action(
    async (name: string, { network, clientRef, ...flags }: CreateFlags, own: Command) => {
      const cli = begin(own);
      const made = await cli.client.createDevice({ name, network, clientRef, ...settingsOf(flags) });
      const next = cli.paint.dim(`Link it: kurir device link --device ${harmless(made.deviceId)}`);
      cli.print(made, () => [`${cli.paint.green('created')}  ${harmless(made.deviceId)}`, next]);
    },
  );
  const set = device
    .command('set')
    .description('Change how the device spares its account, its proxy or its name. It counts at once.')
    .option('--name <name>', 'what it is called');
  addSettingOptions(set)
    .option('--proxy <address>', 'socks5:// or http:// address without a password, or none')
    .option('--proxy-stdin', 'read the address, password and all, from standard input')
    .action(async (flags: SetFlags, own: Command) => {
      const cli = begin(own);
      const changed = await changeDevice(cli, flags);
      cli.print(changed, () => fieldLines(deviceFields(changed, cli.clock.now()), cli.paint.dim));
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
      new Option('--timeout <duration>', 'how long to wait at most').default(240, '4m').argParser(parseDuration),
    )
    .action(async (flags: LinkFlags, own: Command) => linkDevice(begin(own), flags));
  device
    .command('reconnect')
    .description('Connect a contested device again, once nothing else uses its credentials.')
    .action(async (_flags: object, own: Command) => {
      const cli = begin(own);
      const asked = await cli.client.reconnectDevice();
      cli.print(asked, () => [`${cli.paint.green('reconnects')}  ${asked.deviceId}`]);
    });
  device
    .command('cancel-link')
    .description('Stop linking the device.')
    .action(async (_flags: object, own: Command) => {
      const cli = begin(own);
      const cancelled = await cli.client.cancelLink();
      cli.print(cancelled, () => [`${cli.paint.green('cancelled')}  ${cancelled.deviceId}`]);
    });
}
