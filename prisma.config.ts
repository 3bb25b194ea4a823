// Settings of the Prisma command line (`npx prisma generate`, `migrate diff`, ...); `npm run db:migrate` does not need it.
import { defineConfig } from 'prisma/config';

// Prisma wants its native schema engine before any command and downloads it, although only `migrate` and `db` run it.
// For the others any file that exists satisfies the check, so that a clone that cannot reach Prisma's host builds too.
const runsEngine = process.argv.some((argument) => argument === 'migrate' || argument === 'db');
if (!runsEngine) process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= process.execPath;

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  // `generate` connects to nothing; the placeholder only has to look like an address.
  datasource: { url: process.env['DATABASE_URL'] ?? 'postgresql://postgres@127.0.0.1:5432/kurir' },
});
