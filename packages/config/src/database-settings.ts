/** The settings of the connections to Postgres: a part of the table in `settings.ts`. */
import { postgresUrl } from './postgres-url.js';
import { pooler, whole } from './schemas.js';

export const databaseSettings = {
  DATABASE_URL: {
    schema: postgresUrl,
    description:
      'The address of Postgres, which holds everything. Several servers have commas between them: postgresql://user@one:5432,two:5432/kurir. Kurir uses the one that may be written.',
    programs: ['api', 'worker', 'admin', 'migrate'],
    secret: true,
    example: 'postgresql://kurir@127.0.0.1:5432/kurir',
  },
  KURIR_APP_DATABASE_URL: {
    schema: postgresUrl.optional(),
    description:
      'The DATABASE_URL of api and worker, if they have another user than the migrator. The migrator makes that user and gives it its rights. It owns nothing, and cannot change the audit log.',
    programs: ['migrate'],
    secret: true,
    example: 'postgresql://kurir_app:password@127.0.0.1:5432/kurir',
  },
  KURIR_DATABASE_CONNECTIONS: {
    schema: whole(2, 200).default(12),
    description:
      'How many connections to Postgres a process has for messages, at most. It has up to 7 more: 3 for lists and 4 for rare actions of people.',
    programs: ['api', 'worker'],
  },
  DATABASE_REPLICA_URL: {
    schema: postgresUrl.optional(),
    description:
      'The address of one standby of Postgres, or of several that are all standbys of it. Reports and exports read from it while it is fresh, and from DATABASE_URL otherwise.',
    programs: ['api'],
    secret: true,
    example: 'postgresql://kurir@127.0.0.1:5433/kurir',
  },
  KURIR_DATABASE_REPLICA_MAX_LAG_SECONDS: {
    schema: whole(2, 600).default(10),
    description: 'How many seconds the standby may be behind, at most. A report may lack the events of this time.',
    programs: ['api'],
  },
  KURIR_DATABASE_POOLER: {
    schema: pooler.default('none'),
    description:
      'Whether DATABASE_URL leads through a pooler in transaction mode, such as PgBouncer. `transaction`: any version. `transaction-prepared`: one that knows named statements, such as PgBouncer 1.21 or later. The migrator must have the same value and the address of Postgres itself.',
    programs: ['api', 'worker', 'admin', 'migrate'],
  },
} as const;
