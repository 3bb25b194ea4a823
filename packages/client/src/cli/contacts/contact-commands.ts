import type { Command } from 'commander';
import { KurirUsageError } from '../../calls/errors.js';
import type { Contact } from '../../contract/call-types.js';
import type { Begin, Cli } from '../terminal/cli.js';
import { fieldLines, tableLines } from '../terminal/layout.js';
import { addImportCommand } from './import-command.js';
import { contactFields, contactTable } from './contact-lines.js';

type FilterFlags = { list?: string; attribute?: string; consent?: boolean; search?: string };

const contactArgument = ['<contact>', 'the id of the contact, con_…, or the phone number'] as const;

/** Lists, exports, shows and deletes contacts. */
export function addContactCommands(program: Command, begin: Begin): void {
  const contacts = program.command('contacts').description('Import, list, check, export or delete contacts.');
  addImportCommand(contacts, begin);
  addListCommands(contacts, begin);
  addSingleCommands(contacts, begin);
  addCheckCommand(contacts, begin);
}

const withFilter = (command: Command): Command =>
  command
    .option('--list <name>', 'only contacts in this list')
    .option('--attribute <key:value>', 'only contacts with this attribute')
    .option('--consent', 'only contacts with a consent on record')
    .option('--no-consent', 'only contacts without one')
    .option('--search <text>', 'a part of the name or of the number');

const queryOf = ({ list, attribute, consent, search }: FilterFlags) => ({
  list,
  attribute,
  hasConsent: consent,
  q: search,
});

function addListCommands(contacts: Command, begin: Begin): void {
  withFilter(contacts.command('list', { isDefault: true }))
    .description('List contacts, newest first.')
    .option('--cursor <cursor>', 'continue an earlier list')
    .action(async ({ cursor, ...filter }: FilterFlags & { cursor?: string }, own: Command) => {
      const cli = begin(own);
      const page = await cli.client.listContacts({ ...queryOf(filter), cursor });
      const more = page.nextCursor === null ? [] : [cli.paint.dim(`More: --cursor ${page.nextCursor}`)];
      cli.print(page, () => [...contactTable(page.contacts, cli), ...more]);
    });
  withFilter(contacts.command('export'))
    .description('Write contacts to stdout, as CSV or as lines of JSON.')
    .option('--ndjson', 'lines of JSON')
    .addHelpText('after', '\nExample:\n  $ kurir contacts export --list promo > promo.csv\n')
    .action(async ({ ndjson, ...filter }: FilterFlags & { ndjson?: true }, own: Command) => {
      const cli = begin(own);
      const format = ndjson || cli.json ? 'ndjson' : 'csv';
      for await (const text of cli.client.exportContacts({ ...queryOf(filter), format }))
        cli.surroundings.stdout.write(text);
    });
  contacts
    .command('lists')
    .description('List the names of lists, with how many contacts each has.')
    .action(async (_flags: object, own: Command) => {
      const cli = begin(own);
      const found = await cli.client.listContactLists();
      cli.print(found, () => found.lists.map(({ name, contacts: count }) => `${name}  ${count}`));
    });
}

function addCheckCommand(contacts: Command, begin: Begin): void {
  contacts
    .command('check')
    .argument('<phones...>', 'phone numbers, as people write them')
    .description('Say which numbers are on the network, as far as your own traffic tells.')
    .action(async (phones: string[], _flags: object, own: Command) => {
      const cli = begin(own);
      const found = await cli.client.checkContacts(phones);
      const rows = found.checked.map(({ asked, phone, onNetwork, error }) => [phone ?? asked, onNetwork, error ?? '']);
      cli.print(found, () => tableLines(rows, (cell) => cell));
    });
}

/** A number is looked up first. */
async function find(cli: Cli, text: string): Promise<Contact> {
  if (text.startsWith('con_')) return cli.client.getContact(text);
  const { contacts } = await cli.client.listContacts({ phone: text, limit: 1 });
  const [contact] = contacts;
  if (contact === undefined) throw new KurirUsageError('There is no contact with this phone number.');
  return contact;
}

function addSingleCommands(contacts: Command, begin: Begin): void {
  contacts
    .command('show')
    .argument(...contactArgument)
    .description('Show a contact.')
    .action(async (text: string, _flags: object, own: Command) => {
      const cli = begin(own);
      const contact = await find(cli, text);
      cli.print(contact, () => fieldLines(contactFields(contact), cli.paint.dim));
    });
  contacts
    .command('delete')
    .argument(...contactArgument)
    .description('Delete a contact.')
    .action(async (text: string, _flags: object, own: Command) => {
      const cli = begin(own);
      const id = text.startsWith('con_') ? text : (await find(cli, text)).contactId;
      const gone = await cli.client.deleteContact(id);
      cli.print(gone, () => [`${cli.paint.green('deleted')}  ${gone.contactId}`]);
    });
}
