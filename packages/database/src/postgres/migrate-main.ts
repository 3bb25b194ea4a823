/**
 * `npm run db:migrate`: migrates the database of DATABASE_URL. Creates the database if it is missing. With `--check` it
 * changes nothing, and its exit code is 2 if a migration is missing.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadSettings } from '@kurir/config';
import { checkMigrations, migrate } from './migrate.js';

const usage = `Usage: npm run db:migrate [-- --check]

Applies the migrations of this version to the database of DATABASE_URL, and creates the database if it is missing.

  --check   change nothing; say which migrations are missing, and which a later version has applied
  --help    print this text

Exit codes: 0 if the database is up to date. 1 if that could not be done. 2 if --check found a missing migration.`;

const missingCode = 2;

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${explain(error.cause)}`;
}

async function run(isCheck: boolean): Promise<number> {
  const { DATABASE_URL, KURIR_APP_DATABASE_URL: appUrl, KURIR_DATABASE_POOLER: pooler } = loadSettings('migrate');
  const migrations = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url));
  if (!isCheck) {
    const applied = await migrate(DATABASE_URL, migrations, { appUrl, pooler });
    console.log(applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}`);
    return 0;
  }
  const { missing, newer } = await checkMigrations(DATABASE_URL, migrations);
  if (newer.length > 0)
    console.log(`A later version has applied: ${newer.join(', ')}. The last version before it works with them.`);
  console.log(missing.length === 0 ? 'No migration is missing.' : `Not applied yet: ${missing.join(', ')}`);
  return missing.length === 0 ? 0 : missingCode;
}

try {
  const { values } = parseArgs({
    options: { check: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  });
  if (values.help) console.log(usage);
  else process.exitCode = await run(values.check);
} catch (error) {
  console.error(`The database was not migrated. ${explain(error)}`);
  process.exitCode = 1;
}
