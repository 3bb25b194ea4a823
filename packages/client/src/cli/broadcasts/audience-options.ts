/** The options that say who gets a broadcast, apart from `--rows`. */
import type { Command } from 'commander';
import { KurirUsageError } from '../../calls/errors.js';
import type { CreateBroadcastInput } from '../../contract/call-types.js';
import type { Cli } from '../terminal/cli.js';
import { fieldPairs, phoneColumn } from '../uploads/field-pairs.js';
import { sendFile } from '../uploads/send-file.js';

type Audience = NonNullable<CreateBroadcastInput['audience']>;
type Mapping = NonNullable<Audience['mapping']>;

export type AudienceFlags = {
  rows?: string;
  file?: string;
  map?: Mapping;
  contactsList?: string;
  contactsAttribute?: string;
};

/** Only the phone number: each other column is a value under its own name. */
function parseColumns(text: string): Mapping {
  const pairs = fieldPairs(text);
  const phone = phoneColumn(pairs);
  const values = Object.fromEntries(pairs.filter(([field]) => field !== 'phone'));
  return { phone, ...(Object.keys(values).length === 0 ? {} : { values }) };
}

export const addAudienceOptions = (command: Command): Command =>
  command
    .option('--file <file>', 'the recipients, in a CSV or NDJSON file; a worker of the gateway reads it')
    .option('--map <values>', 'with --file: value=column with commas between, such as phone=HP,nama=Nama', parseColumns)
    .option('--contacts-list <name>', 'the recipients: the contacts in this list')
    .option('--contacts-attribute <key:value>', 'the recipients: the contacts with this attribute')
    .option('--rows <file>', 'the recipients, one a line; - reads standard input');

const isByContacts = ({ contactsList, contactsAttribute }: AudienceFlags) =>
  contactsList !== undefined || contactsAttribute !== undefined;

/** Throws unless at most one kind of list is given. */
export function checkAudience(flags: AudienceFlags): void {
  const kinds = [flags.rows !== undefined, flags.file !== undefined, isByContacts(flags)].filter(Boolean);
  if (kinds.length > 1) throw new KurirUsageError('Give one of --file, --rows, and the options of contacts.');
  if (flags.map !== undefined && flags.file === undefined) throw new KurirUsageError('--map belongs to --file.');
}

/** Sends the file, if there is one. Undefined: neither a file nor contacts. */
export async function audienceOf(cli: Cli, flags: AudienceFlags): Promise<Audience | undefined> {
  const { file, map, contactsList, contactsAttribute } = flags;
  if (isByContacts(flags)) return { contacts: { list: contactsList, attribute: contactsAttribute } };
  if (file === undefined) return undefined;
  return { uploadId: await sendFile(cli, file), mapping: map };
}
