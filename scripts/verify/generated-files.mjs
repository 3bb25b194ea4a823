// Files that a program of this repository writes and that are kept in git, so that a change of them shows in a review.
// Each program takes --check and exits with 1 when a file is not what it would write.
export const GENERATED = [
  { files: ['docs/openapi.json'], program: 'packages/contracts/dist/documents/write-openapi.js' },
  {
    files: ['clients/python/src/kurir/_operations.py', 'clients/python/src/kurir/types.py'],
    program: 'scripts/clients/write-python.mjs',
  },
  { files: ['clients/php/src/Operations.php'], program: 'scripts/clients/write-php.mjs' },
  { files: ['docs/events.schema.json'], program: 'packages/contracts/dist/documents/write-event-schemas.js' },
  { files: ['docs/configuration.md', '.env.example'], program: 'packages/config/dist/write-docs.js' },
  { files: ['docs/metrics.md'], program: 'packages/metrics/dist/write-docs.js' },
  {
    files: ['gateway', 'devices', 'broadcasts', 'webhooks', 'processes'].map(
      (name) => `deploy/observe/dashboards/${name}.json`,
    ),
    program: 'scripts/observe/write-dashboards.mjs',
  },
  { files: ['docs/operations.md'], program: 'packages/contracts/dist/documents/write-operations.js' },
  { files: ['docs/reliability.md'], program: 'packages/contracts/dist/documents/write-state-picture.js' },
  { files: ['docs/architecture.svg', 'ARCHITECTURE.md'], program: 'scripts/structure/write-pictures.mjs' },
];
