import { defaultNetwork, networkNames } from '@kurir/contracts';
import { KurirUsageError } from '../../calls/errors.js';
import { type Command, Option } from 'commander';
import type { CreateDeviceInput } from '../../contract/call-types.js';
import type { Begin } from '../terminal/cli.js';
import { changeDevice, type SetFlags } from './change-device.js';
import { healthLines } from './health-lines.js';
import { activityTable, deviceFields, deviceTable } from './device-lines.js';
import { fieldLines, harmless } from '../terminal/layout.js';
import { type LinkFlags, linkDevice } from './link-device.js';
import { fromNow } from '../terminal/moments.js';
import { parseDuration, parseNumber } from '../terminal/parse-time.js';
import { addSettingOptions, type SettingFlags, settingsOf } from './setting-options.js';

type CreateFlags = SettingFlags & Pick<CreateDeviceInput, 'network' | 'clientRef'>;

export function addDeviceCommands(program: Command, begin: Begin): void {
  const device = program.command('device').description('Show, create, link or disconnect devices.');
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
    .command('health')
    .argument('[id]', 'the id of the device; by default the one of --device')
    .description('Show how well the number of the device does: a word, its reasons, and its last 30 days.')
    .action(async (id: string | undefined, _flags: object, own: Command) => {
      const cli = begin(own);
      const deviceId = id ?? cli.settings.deviceId;
      if (deviceId === null) throw new KurirUsageError('Which device? Give its id, or --device.');
      const health = await cli.client.deviceHealth(deviceId);
      cli.print(health, () => healthLines(health, cli));
    });
  device
    .command('list')
    .description('List the devices of the account, oldest first.')
    .option('--activity', 'show the waiting messages and the health of each device')
    .action(async ({ activity }: { activity?: true }, own: Command) => {
      const cli = begin(own);
      const listed = await cli.client.listDevices(activity ? { include: 'activity' } : {});
      cli.print(listed, () => (activity ? activityTable : deviceTable)(listed.devices, cli));
    });
}

function addChangeCommands(device: Command, begin: Begin): void {
  const create = device
    .command('create')
    .argument('<name>', 'the name of the device')
    .description('Create a device. Link it afterwards.')
    .addOption(
      new Option('--network <network>', 'the network of the device').choices(networkNames).default(defaultNetwork),
    )
    .option('--client-ref <ref>', 'your own id of the device; a repeat with the same id creates no second device');
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
    .description('Change the name, the politeness or the proxy of the device, with effect at once.')
    .option('--name <name>', 'the name of the device');
  addSettingOptions(set)
    .option('--proxy <address>', 'the address of a proxy, socks5:// or http://, without a password; or none')
    .option('--proxy-stdin', 'read the address of the proxy, with its password, from standard input')
    .action(async (flags: SetFlags, own: Command) => {
      const cli = begin(own);
      const changed = await changeDevice(cli, flags);
      cli.print(changed, () => fieldLines(deviceFields(changed, cli.clock.now()), cli.paint.dim));
    });
  device
    .command('disconnect')
    .description(
      'Unlink the device from its messaging account. Its queued messages fail. To link it again you need the phone.',
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
    .description('Link the device: show the code to scan or type, and wait until the device is connected.')
    .option('--phone <number>', 'link with a code to type into this phone, instead of a QR code', parseNumber)
    .addOption(
      new Option('--timeout <duration>', 'the longest time to wait').default(240, '4m').argParser(parseDuration),
    )
    .action(async (flags: LinkFlags, own: Command) => linkDevice(begin(own), flags));
  device
    .command('reconnect')
    .description('Connect a contested device again. First stop the other program that uses its credentials.')
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
