/** `npm run db:migrate`: migrates the database of DATABASE_URL. Creates the database if it is missing. */
import { fileURLToPath } from 'node:url';
import { loadSettings } from '@kurir/config';
import { migrate } from './migrate.js';

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${explain(error.cause)}`;
}

try {
  const { DATABASE_URL, KURIR_APP_DATABASE_URL } = loadSettings('migrate');
  const migrations = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url));
  const applied = await migrate(DATABASE_URL, migrations, KURIR_APP_DATABASE_URL);
  console.log(applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}`);
} catch (error) {
  console.error(`The database was not migrated. ${explain(error)}`);
  process.exit(1);
}
