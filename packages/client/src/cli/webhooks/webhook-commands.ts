import type { Command } from 'commander';
import type { Begin } from '../terminal/cli.js';
import { fieldLines } from '../terminal/layout.js';
import { addDeliveryCommands } from './delivery-commands.js';
import { replayLine, webhookFields, webhookTable } from './webhook-lines.js';
import { addFieldOptions, type FieldFlags, fieldsOf } from './webhook-options.js';

const webhookArgument = ['<webhook>', 'the id of the webhook, whk_…'] as const;

export function addWebhookCommands(program: Command, begin: Begin): void {
  const webhook = program.command('webhook').description('Show, create, change or test webhooks.');
  addLookCommands(webhook, begin);
  addChangeCommands(webhook, begin);
  addSecretCommands(webhook, begin);
  addDeliveryCommands(webhook, begin);
}

function addLookCommands(webhook: Command, begin: Begin): void {
  webhook
    .command('list', { isDefault: true })
    .description('List the webhooks of the account with their health.')
    .action(async (_flags: object, own: Command) => {
      const cli = begin(own);
      const listed = await cli.client.listWebhooks();
      cli.print(listed, () => webhookTable(listed.webhooks, cli));
    });
  webhook
    .command('show')
    .argument(...webhookArgument)
    .description('Show a webhook with its health and its last replays.')
    .action(async (id: string, _flags: object, own: Command) => {
      const cli = begin(own);
      const found = await cli.client.getWebhook(id);
      const fields = webhookFields(found.webhook, cli.clock.now());
      cli.print(found, () => [...fieldLines(fields, cli.paint.dim), ...found.replays.map(replayLine)]);
    });
}

function addChangeCommands(webhook: Command, begin: Begin): void {
  const create = webhook
    .command('create')
    .argument('<url>', 'where Kurir posts events')
    .description('Create a webhook. It prints the secret, which nobody can see again.');
  addFieldOptions(create).action(async (url: string, flags: FieldFlags, own: Command) => {
    const cli = begin(own);
    const made = await cli.client.createWebhook({ url, ...fieldsOf(flags) });
    const { webhookId } = made.webhook;
    const next = cli.paint.dim(`Test it: kurir webhook ping ${webhookId}`);
    cli.print(made, () => [`${cli.paint.green('created')}  ${webhookId}`, `secret   ${made.secret}`, next]);
  });
  const update = webhook
    .command('update')
    .argument(...webhookArgument)
    .description('Change a webhook, enable or disable it. Other fields stay as they are.')
    .option('--url <url>', 'where Kurir posts events')
    .option('--enable', 'send events again, from the first one that the webhook did not get')
    .option('--disable', 'send no events');
  type Flags = FieldFlags & { url?: string; enable?: true; disable?: true };
  addFieldOptions(update).action(async (id: string, { url, enable, disable, ...fields }: Flags, own: Command) => {
    if (enable && disable) own.error("error: options '--enable' and '--disable' exclude each other");
    const cli = begin(own);
    const enabled = enable ?? (disable ? false : undefined);
    const changed = await cli.client.updateWebhook(id, { url, enabled, ...fieldsOf(fields) });
    cli.print(changed, () => fieldLines(webhookFields(changed.webhook, cli.clock.now()), cli.paint.dim));
  });
  webhook
    .command('delete')
    .argument(...webhookArgument)
    .description('Delete a webhook, with its secrets, attempts and waiting events.')
    .action(async (id: string, _flags: object, own: Command) => {
      const cli = begin(own);
      const gone = await cli.client.deleteWebhook(id);
      cli.print(gone, () => [`${cli.paint.green('deleted')}  ${gone.webhookId}`]);
    });
}

function addSecretCommands(webhook: Command, begin: Begin): void {
  webhook
    .command('rotate')
    .argument(...webhookArgument)
    .description('Give a webhook a new secret, and print it. For 24 hours both secrets sign.')
    .action(async (id: string, _flags: object, own: Command) => {
      const cli = begin(own);
      const rotated = await cli.client.rotateWebhookSecret(id);
      cli.print(rotated, () => [`${cli.paint.green('rotated')}  ${id}`, `secret   ${rotated.secret}`]);
    });
}
