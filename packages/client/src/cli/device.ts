import type { Command } from 'commander';
import type { Begin } from './cli.js';
import { fieldLines } from './layout.js';
import { fromNow } from './moments.js';

export function addDeviceCommand(program: Command, begin: Begin): void {
  const device = program.command('device').description('Look at the device, or disconnect it.');
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
