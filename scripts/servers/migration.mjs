/** The program that brings the tables of DATABASE_URL up to date. */
export const MIGRATE = { entry: 'packages/database/dist/postgres/migrate-main.js', args: [] };
