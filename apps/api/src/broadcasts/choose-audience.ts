/** Turns the audience of a request into one that a worker can read. */
import { type AccountId, ApiError, type ChosenAudience } from '@kurir/contracts';
import type { Database } from '@kurir/database';
import type { AudienceMapping, NewAudience } from '@kurir/database/broadcasts';
import { readHome } from '@kurir/database/contacts';
import { readFilter } from '../contacts/read-phone-text.js';
import type { Caller } from '../operations/caller.js';
import { byTestKey, outsideSandbox } from '../operations/test-keys.js';
import { guessMapping } from '../uploads/guess-mapping.js';
import type { FileBeginning } from '../uploads/read-file.js';
import { requireColumns, requireComplete, requireFile, under } from '../uploads/require-file.js';

type ChosenFile = Extract<ChosenAudience, { kind: 'upload' }>;

async function guessPhone(database: Database, accountId: AccountId, { columns, preview }: FileBeginning) {
  const cells = preview.map(({ values }) => values);
  const { phone } = guessMapping(columns, cells, (await readHome(database, accountId)).country);
  if (phone !== null) return phone;
  throw new ApiError(
    'INVALID_REQUEST',
    'audience.mapping: no column looks like phone numbers. Name the column in mapping.phone.',
    { fault: { field: 'audience.mapping.phone', rule: 'required' } },
  );
}

async function mapFile(database: Database, accountId: AccountId, file: FileBeginning, given: ChosenFile['mapping']) {
  const phone = given?.phone ?? (await guessPhone(database, accountId, file));
  const others = file.columns.filter((column) => column !== phone).map((column) => [column, column]);
  const mapping: AudienceMapping = { phone, values: given?.values ?? Object.fromEntries(others) };
  requireColumns(file.columns, {
    'audience.mapping.phone': phone,
    ...under('audience.mapping.values', mapping.values),
  });
  return mapping;
}

/** The list of a broadcast shows numbers, so a key needs the scope that shows them in contacts. */
function requireReading(caller: Caller): void {
  if (caller.by !== 'key' || caller.scopes.length === 0 || caller.scopes.includes('contacts:read')) return;
  throw new ApiError(
    'KEY_NOT_ALLOWED',
    'This key lacks the scope contacts:read, so it cannot choose contacts. Use another key, or add the scope to this one.',
  );
}

/** Contacts and uploads are things of the whole account. */
function requireLiveKey(caller: Caller): void {
  if (byTestKey(caller)) throw outsideSandbox('Give the audience as rows.');
}

/** Null: the request has rows, or nothing. */
export async function chooseAudience(
  database: Database,
  caller: Caller,
  chosen: ChosenAudience | null,
): Promise<NewAudience | null> {
  const { accountId } = caller;
  switch (chosen?.kind) {
    case 'contacts':
      requireLiveKey(caller);
      requireReading(caller);
      return { filter: await readFilter(database, accountId, chosen.filter) };
    case 'upload': {
      requireLiveKey(caller);
      const upload = await requireComplete(database, accountId, chosen.uploadId);
      const mapping = await mapFile(database, accountId, await requireFile(database, upload), chosen.mapping);
      return { uploadId: upload.id, bytes: upload.bytes, mapping };
    }
    default:
      return null;
  }
}
